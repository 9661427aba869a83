// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.Provider;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;

/** Amazon's provider, which has ML-DSA on every JDK. */
public final class NativeProvider {
    private static final Optional<Provider> FOUND = ServiceLoader.load(Provider.class).stream()
            .filter(it -> it.type().getSimpleName().equals("AmazonCorrettoCryptoProvider"))
            .map(ServiceLoader.Provider::get)
            .findFirst();

    private NativeProvider() {}

    /** Returns a provider for this algorithm: null if the JDK has it. Skips the test if there is none. */
    public static Provider of(CredentialAlgorithm algorithm) {
        if (algorithm.isAvailable(null)) {
            return null;
        }
        Provider provider = FOUND.orElse(null);
        if (!algorithm.isAvailable(provider)) {
            String reason = "neither this JDK nor the native provider has " + algorithm;
            System.err.println("Skipped: " + reason);
            Assumptions.abort(reason);
        }
        return provider;
    }

    static SignatureVerifier verifier(CredentialAlgorithm algorithm) {
        return new SignatureVerifier(of(algorithm));
    }
}
