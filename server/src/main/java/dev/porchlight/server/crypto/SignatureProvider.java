// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import dev.porchlight.passkey.cose.SignatureCheck;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The security provider that checks signatures: the native one where it loads and passes the self-test, for it is ten times
 * as fast; otherwise the one that the JDK prefers.
 *
 * @param provider the native one, or nothing for the JDK's
 * @param name what an operator calls it, with its version
 * @param fault what it gets wrong, or null
 * @param passedOver why the native one is not it, or null
 */
public record SignatureProvider(
        Optional<Provider> provider,
        String name,
        @Nullable String fault,
        @Nullable String passedOver) {
    private static final String NATIVE = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

    /** Chooses for this machine. */
    public static SignatureProvider choose() {
        // Asked by class, so that only this one of all providers on the class path is made.
        return chosenFrom(ServiceLoader.load(Provider.class).stream()
                .filter(candidate -> candidate.type().getName().equals(NATIVE))
                .toList());
    }

    static SignatureProvider chosenFrom(List<ServiceLoader.Provider<Provider>> candidates) {
        if (candidates.isEmpty()) {
            return ofJdk("it is not on the class path");
        }
        try {
            Provider candidate = candidates.get(0).get();
            String fault = SignatureCheck.fault(candidate);
            return fault == null
                    ? new SignatureProvider(Optional.of(candidate), named(candidate), null, null)
                    : ofJdk(fault);
        } catch (ServiceConfigurationError | LinkageError e) {
            return ofJdk("it does not load on this machine: " + e.getMessage());
        }
    }

    private static SignatureProvider ofJdk(String passedOver) {
        return new SignatureProvider(
                Optional.empty(),
                named(Security.getProviders("Signature.SHA256withECDSA")[0]),
                SignatureCheck.fault(null),
                passedOver);
    }

    private static String named(Provider provider) {
        return provider.getName() + ' ' + provider.getVersionStr();
    }
}
