// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.EcCurve;
import dev.porchlight.passkey.cose.EcKey;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The signature algorithms of attestation keys, each with its only allowed kind of key, and with its COSE numbers: the second
 * is the fully specified one of RFC 9864.
 *
 * <p>RS1 is accepted for TPMs only, because Windows uses it. SHA-1 collisions are practical, so one signature of a TPM could
 * attest two different keys: an RS1 attestation is never trusted.
 *
 * <p>Clients choose the key, and with it the cost of verifying a signature: modulus and exponent of RSA keys are bounded.
 */
enum AttestationAlgorithm {
    ES256("SHA256withECDSA", "SHA-256", -7, -9),
    ES384("SHA384withECDSA", "SHA-384", -35, -51),
    ES512("SHA512withECDSA", "SHA-512", -36, -52),
    RS256("SHA256withRSA", "SHA-256", -257),
    RS1("SHA1withRSA", "SHA-1", -65535),
    /** Ed25519. It has no separate digest that a TPM could sign. */
    EDDSA("Ed25519", "", -8, -19);

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 4096;
    /** Most exponents are 65537. The cost of a verification grows with the length: 3,072 bits take a hundred times as long. */
    private static final int MAX_RSA_EXPONENT_BITS = 32;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
    private final List<Long> numbers;

    /** The JDK's name. */
    final String signature;

    private final String digest;

    AttestationAlgorithm(String signature, String digest, long... numbers) {
        this.signature = signature;
        this.digest = digest;
        this.numbers = LongStream.of(numbers).boxed().toList();
    }

    static Optional<AttestationAlgorithm> ofTpm(long cose) {
        return Stream.of(values())
                .filter(algorithm -> algorithm.numbers.contains(cose))
                .findFirst();
    }

    /** Returns the algorithm with this COSE number, for all other formats. */
    static Optional<AttestationAlgorithm> of(long cose) {
        return ofTpm(cose).filter(algorithm -> !algorithm.isOutdated());
    }

    boolean isOutdated() {
        return this == RS1;
    }

    /** The JDK's name of its hash, if it can be computed separately. */
    Optional<String> digest() {
        return Optional.of(digest).filter(name -> !name.isEmpty());
    }

    boolean fits(PublicKey key) {
        return switch (this) {
            case ES256 -> isOn(EcCurve.P256, key);
            case ES384 -> isOn(EcCurve.P384, key);
            case ES512 -> isOn(EcCurve.P521, key);
            case RS256, RS1 -> key instanceof RSAPublicKey rsa && isBounded(rsa);
            case EDDSA ->
                key instanceof EdECPublicKey edwards
                        && edwards.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
        };
    }

    private static boolean isBounded(RSAPublicKey key) {
        int bits = key.getModulus().bitLength();
        return bits >= MIN_RSA_BITS
                && bits <= MAX_RSA_BITS
                && key.getPublicExponent().bitLength() <= MAX_RSA_EXPONENT_BITS;
    }

    private static boolean isOn(EcCurve curve, PublicKey key) {
        return EcKey.of(key).filter(point -> point.curve() == curve).isPresent();
    }
}
