// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.KeyType.Member;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Provider;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A public key for EdDSA: a point on Ed25519 in its only valid encoding (RFC 8032), which is not of small order. With a key of
 * small order, a signature verifies for many messages. Immutable.
 *
 * @param x the encoded point, 32 bytes: the y-coordinate, little-endian, and the sign of x in the highest bit
 */
public record Ed25519Key(Bytes x) implements CredentialPublicKey {
    private static final String CURVE = "Ed25519";
    private static final int BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;

    /** The SubjectPublicKeyInfo up to the key: id-Ed25519, bit string header. */
    private static final Bytes SPKI_START = Bytes.ofHex("302a300506032b6570032100");

    private static final BigInteger ONE = BigInteger.ONE;
    private static final BigInteger P = ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));

    /** The order of the group. */
    private static final BigInteger L =
            ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));

    private static final BigInteger D = BigInteger.valueOf(-121_665)
            .multiply(BigInteger.valueOf(121_666).modInverse(P))
            .mod(P);

    /** The y-coordinates of the eight points of small order: of order 1, 2, 4, and 8. */
    private static final Set<BigInteger> SMALL_ORDER = Set.of(
            ONE,
            P.subtract(ONE),
            BigInteger.ZERO,
            number(Bytes.ofHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
            number(Bytes.ofHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")));

    /** Creates a key from an encoded point. */
    public Ed25519Key {
        String fault = fault(x);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    static KeyType type() {
        return new KeyType(
                CredentialAlgorithm.EDDSA,
                List.of(
                        Member.kty(1, "OKP"),
                        Member.alg(CredentialAlgorithm.EDDSA, false),
                        Member.crv(6, CURVE),
                        Member.bytes("x", -2, BYTES)),
                values -> new Ed25519Key(values.get(0)),
                List.of(Bytes.ofHex("58" + "66".repeat(31)))); // the generator
    }

    @Override
    public CredentialAlgorithm algorithm() {
        return CredentialAlgorithm.EDDSA;
    }

    @Override
    public List<Bytes> values() {
        return List.of(x);
    }

    @Override
    public boolean matches(PublicKey other) {
        return Arrays.equals(SPKI_START.concat(x).toByteArray(), other.getEncoded());
    }

    /** Refuses another length, an R that is not canonical and an S that is not below the order, before a provider verifies. */
    @Override
    public boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed)
            throws GeneralSecurityException {
        if (signature.size() != SIGNATURE_BYTES
                || y(signature.slice(0, BYTES)).compareTo(P) >= 0
                || number(signature.slice(BYTES, SIGNATURE_BYTES)).compareTo(L) >= 0) {
            return false;
        }
        boolean signs = provider != null && provider.getService("Signature", CURVE) != null;
        // Amazon's provider has no factory for these keys, and verifies with those of the JDK.
        Provider factory = SignatureVerifier.having(provider, CURVE, CURVE);
        PublicKey key = SignatureVerifier.key(CURVE, factory, SPKI_START.concat(x));
        try {
            return SignatureVerifier.verify(CURVE, signs ? provider : null, key, signature, signed);
        } catch (InvalidKeyException e) { // by a provider that accepts only its keys
            return SignatureVerifier.verify(CURVE, null, key, signature, signed);
        }
    }

    private static @Nullable String fault(Bytes x) {
        if (x.size() != BYTES) {
            return "a point that is not " + BYTES + " bytes";
        }
        BigInteger y = y(x);
        if (y.compareTo(P) >= 0) {
            return "a coordinate outside the field";
        }
        if (SMALL_ORDER.contains(y)) {
            return "a point of small order";
        }
        // x² = (y² - 1) / (dy² + 1), which has a root if the product of both has one.
        BigInteger square = y.multiply(y).mod(P);
        BigInteger product =
                square.subtract(ONE).multiply(D.multiply(square).add(ONE)).mod(P);
        boolean onCurve = product.modPow(P.shiftRight(1), P).equals(ONE);
        return onCurve ? null : "a point that is not on Ed25519";
    }

    /** Returns the y-coordinate of an encoded point. */
    private static BigInteger y(Bytes point) {
        return number(point).clearBit(8 * BYTES - 1);
    }

    private static BigInteger number(Bytes littleEndian) {
        byte[] reversed = new byte[littleEndian.size()];
        for (int i = 0; i < reversed.length; i++) {
            reversed[reversed.length - 1 - i] = (byte) littleEndian.at(i);
        }
        return new BigInteger(1, reversed);
    }
}
