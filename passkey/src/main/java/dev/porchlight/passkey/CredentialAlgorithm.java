// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The signature algorithms of passkeys, with the COSE numbers that registration options offer for each. */
public enum CredentialAlgorithm {
    /** ECDSA on P-256 with SHA-256, which all authenticators support except for some TPMs. */
    ES256("ES256", "SHA256withECDSA", -7),
    /** Ed25519, as EdDSA or under its fully specified number. */
    EDDSA("EdDSA", "Ed25519", -8, -19),
    /** ECDSA on P-384 with SHA-384. */
    ES384("ES384", "SHA384withECDSA", -35, -51),
    /** ECDSA on P-521 with SHA-512. */
    ES512("ES512", "SHA512withECDSA", -36, -52),
    /** RSA with PKCS#1 v1.5 and SHA-256: keys of 2048 to 4096 bits with the exponent 65537. */
    RS256("RS256", "", -257),
    /** RSA with PSS, SHA-256 and a salt of 32 bytes: keys as for RS256. */
    PS256("PS256", "", -37),
    /** Post-quantum signatures of FIPS 204, security category 2. Needs JDK 24 or a provider that has them. */
    ML_DSA_44("ML-DSA-44", "ML-DSA", -48),
    /** Post-quantum signatures of FIPS 204, security category 3. Needs JDK 24 or a provider that has them. */
    ML_DSA_65("ML-DSA-65", "ML-DSA", -49),
    /** Post-quantum signatures of FIPS 204, security category 5. Needs JDK 24 or a provider that has them. */
    ML_DSA_87("ML-DSA-87", "ML-DSA", -50);

    private final String label;
    private final String jca;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
    private final List<Long> numbers;

    CredentialAlgorithm(String label, String jca, long... numbers) {
        this.label = label;
        this.jca = jca;
        this.numbers = LongStream.of(numbers).boxed().toList();
    }

    /** The name in configurations, as in the registry of JOSE algorithms: {@code ES256}, {@code EdDSA}, {@code ML-DSA-44}. */
    public String label() {
        return label;
    }

    /** The COSE number. */
    public long cose() {
        return numbers.get(0);
    }

    /** The COSE number, and the fully specified one of RFC 9864 if registrations may use it too. */
    public List<Long> numbers() {
        return numbers;
    }

    /** The name of its signatures in the JCA; empty if they are verified without a provider. */
    public String jcaName() {
        return jca;
    }

    /** Returns whether the JDK, or this provider if it is not null, can verify its signatures. Not for the request path. */
    public boolean isAvailable(@Nullable Provider provider) {
        if (jca.isEmpty() || provider != null && provider.getService("Signature", jca) != null) {
            return true;
        }
        try {
            return !Signature.getInstance(jca).getAlgorithm().isEmpty();
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    void requireAvailable(@Nullable Provider provider) {
        if (!isAvailable(provider)) {
            throw new IllegalArgumentException(
                    this + " requires JDK 24 or later, or a security provider that has " + jca);
        }
    }

    /** Returns the algorithm with this COSE number, if it is known. */
    public static Optional<CredentialAlgorithm> of(long cose) {
        return Stream.of(values()).filter(it -> it.numbers.contains(cose)).findFirst();
    }

    /** Returns the algorithm with this {@link #label}, if it is known. */
    public static Optional<CredentialAlgorithm> ofLabel(String label) {
        return Stream.of(values()).filter(it -> it.label.equals(label)).findFirst();
    }

    /** The {@link #label}. */
    @Override
    public String toString() {
        return label;
    }
}
