// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.passkey.CredentialAlgorithm;
import java.security.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;

/** Amazon's provider, which the service prefers, and which has ML-DSA on every JDK. */
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

    /** Returns verifiers with the JDK and with this provider, as far as they have the algorithm. */
    static List<SignatureVerifier> verifiers(CredentialAlgorithm algorithm) {
        List<SignatureVerifier> verifiers = new ArrayList<>();
        verifiers.add(new SignatureVerifier(of(algorithm)));
        if (algorithm.isAvailable(null)) {
            FOUND.ifPresent(provider -> verifiers.add(new SignatureVerifier(provider)));
        }
        return verifiers;
    }
}
