// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;

/** The service's cryptographic provider, and a way to install it for peers. */
final class NativeProvider {
    private NativeProvider() {}

    static Provider get() {
        AmazonCorrettoCryptoProvider.INSTANCE.assertHealthy();
        return AmazonCorrettoCryptoProvider.INSTANCE;
    }

    /** Peers use the JVM's preferred provider; each runs in a separate JVM. */
    static void preferInThisJvm() {
        get();
        AmazonCorrettoCryptoProvider.install();
    }
}
