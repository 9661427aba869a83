// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;

/** The provider that the service uses, and what makes a peer use it. */
final class NativeProvider {
    private NativeProvider() {}

    static Provider get() {
        AmazonCorrettoCryptoProvider.INSTANCE.assertHealthy();
        return AmazonCorrettoCryptoProvider.INSTANCE;
    }

    /** Peers take whichever provider the JVM prefers; each runs in a JVM of its own. */
    static void preferInThisJvm() {
        get();
        AmazonCorrettoCryptoProvider.install();
    }
}
