// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.Es256Key;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The algorithms an attestation key may sign with, each with the only kind of key that goes with it. The credential's
 * own key is not among them: it is always ES256.
 *
 * <p>RS1 is for TPMs alone, which Windows has sign with it. SHA-1 collisions can be made to order, so one signature of a
 * TPM could vouch for two different keys: what is attested with it is never trusted.
 *
 * <p>A stranger chooses the key, and the cost of checking a signature with it: RSA keys are bounded in both their numbers.
 */
enum AttestationAlgorithm {
    ES256(-7, "SHA256withECDSA", "SHA-256"),
    ES384(-35, "SHA384withECDSA", "SHA-384"),
    ES512(-36, "SHA512withECDSA", "SHA-512"),
    RS256(-257, "SHA256withRSA", "SHA-256"),
    RS1(-65535, "SHA1withRSA", "SHA-1"),
    /** Ed25519. It hashes within, so it has no digest that a TPM could be given. */
    EDDSA(-8, "Ed25519", "");

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 4096;
    /** Most exponents are 65537. The cost of a signature grows with the length: 3,072 bits take a hundred times as long. */
    private static final int MAX_RSA_EXPONENT_BITS = 32;

    private final long cose;
    private final String signature;
    private final String digest;

    AttestationAlgorithm(long cose, String signature, String digest) {
        this.cose = cose;
        this.signature = signature;
        this.digest = digest;
    }

    /** The algorithm of this COSE number, for a TPM. */
    static Optional<AttestationAlgorithm> ofTpm(long cose) {
        return Stream.of(values()).filter(algorithm -> algorithm.cose == cose).findFirst();
    }

    /** The algorithm of this COSE number, for all others. */
    static Optional<AttestationAlgorithm> of(long cose) {
        return ofTpm(cose).filter(algorithm -> !algorithm.isOutdated());
    }

    /** Whether its hash no longer tells two texts apart. */
    boolean isOutdated() {
        return this == RS1;
    }

    /** The JDK's name of the signature. */
    String signature() {
        return signature;
    }

    /** The JDK's name of the hash in it, if it is one that can be computed beforehand. */
    Optional<String> digest() {
        return Optional.of(digest).filter(name -> !name.isEmpty());
    }

    boolean fits(PublicKey key) {
        return switch (this) {
            case ES256 -> Es256Key.of(key).isPresent();
            case ES384 -> isCurveOf(key, 384);
            case ES512 -> isCurveOf(key, 521);
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

    private static boolean isCurveOf(PublicKey key, int bits) {
        return key instanceof ECPublicKey ec
                && ec.getParams().getCurve().getField().getFieldSize() == bits;
    }
}
