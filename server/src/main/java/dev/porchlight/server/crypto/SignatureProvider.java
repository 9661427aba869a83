// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.SignatureVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The security provider that verifies signatures: the native one if it loads and passes the self-test, because it is ten times
 * as fast; otherwise the JDK's default.
 *
 * @param provider the native provider; empty for the JDK's
 * @param name the name and version, for operators
 * @param fault the failure of the self-test, or null
 * @param nativeFault why the native provider is unavailable, or null if it is used
 */
public record SignatureProvider(
        Optional<Provider> provider,
        String name,
        @Nullable String fault,
        @Nullable String nativeFault) {
    private static final String PACKAGE = "com.amazon.corretto.crypto.provider";
    private static final String NATIVE = PACKAGE + ".AmazonCorrettoCryptoProvider";
    private static final String LIBRARY = "amazonCorrettoCryptoProvider";
    /** Whether the provider loads its library from {@code java.library.path} instead of unpacking it. */
    private static final String UNPACKED = PACKAGE + ".useExternalLib";

    /** The choice of this process: to find the provider, the JDK verifies its signed jar. */
    private static final class Chosen {
        // Filtered by class, so that no other provider on the class path is instantiated.
        static final SignatureProvider PROVIDER = chosenFrom(ServiceLoader.load(Provider.class).stream()
                .filter(candidate -> candidate.type().getName().equals(NATIVE))
                .toList());
    }

    /** Copies the native provider's library into a directory, which later starts add to {@code java.library.path}. */
    public static void unpack(Path target) throws IOException {
        String file = System.mapLibraryName(LIBRARY);
        try (InputStream packed =
                SignatureProvider.class.getClassLoader().getResourceAsStream(PACKAGE.replace('.', '/') + '/' + file)) {
            if (packed != null) { // there is one for this platform
                Files.copy(packed, target.resolve(file));
            }
        }
    }

    /** Returns the provider for this machine. */
    public static SignatureProvider choose() {
        return Chosen.PROVIDER;
    }

    /** Returns which values of ALGORITHMS this machine can verify, for operators. */
    public String algorithms() {
        String missing = Stream.of(CredentialAlgorithm.values())
                .filter(it -> !it.isAvailable(provider.orElse(null)))
                .map(CredentialAlgorithm::label)
                .collect(Collectors.joining(", "));
        return missing.isEmpty() ? "all ALGORITHMS are available" : "not available for ALGORITHMS: " + missing;
    }

    /** Lets the provider unpack its library if the unpacked one does not load, for example from a noexec mount. */
    private static void checkUnpackedLibrary() {
        if (Boolean.getBoolean(UNPACKED)) {
            try {
                System.loadLibrary(LIBRARY);
            } catch (UnsatisfiedLinkError e) {
                System.clearProperty(UNPACKED);
            }
        }
    }

    static SignatureProvider chosenFrom(List<ServiceLoader.Provider<Provider>> candidates) {
        if (candidates.isEmpty()) {
            return ofJdk("not on the class path");
        }
        checkUnpackedLibrary();
        try {
            Provider candidate = candidates.get(0).get();
            String fault = SignatureVerifier.fault(candidate);
            return fault == null
                    ? new SignatureProvider(Optional.of(candidate), named(candidate), null, null)
                    : ofJdk(fault);
        } catch (ServiceConfigurationError | LinkageError e) {
            return ofJdk("does not load on this machine: " + e.getMessage());
        }
    }

    private static SignatureProvider ofJdk(String nativeFault) {
        return new SignatureProvider(
                Optional.empty(),
                named(Security.getProviders("Signature.SHA256withECDSA")[0]),
                SignatureVerifier.fault(null),
                nativeFault);
    }

    private static String named(Provider provider) {
        return provider.getName() + ' ' + provider.getVersionStr();
    }
}
