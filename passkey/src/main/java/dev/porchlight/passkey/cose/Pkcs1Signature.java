// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * RSA verification with PKCS#1 v1.5 and SHA-256 (RFC 8017, section 8.2.2): computes the encoded message and compares all of
 * it. Parsing the padding instead is what lets forged signatures pass, and providers disagree on an absent NULL in the
 * algorithm identifier, so no provider is used. All inputs are public, so the time need not be constant.
 */
final class Pkcs1Signature {
    /** The DER of a DigestInfo with SHA-256, up to the hash. */
    private static final byte[] DIGEST_INFO =
            Bytes.ofHex("3031300d060960864801650304020105000420").toByteArray();

    private static final int HASH_BYTES = 32;

    private Pkcs1Signature() {}

    /**
     * Returns whether a signature verifies. Its length decides how much is computed, whatever the key: a signature of another
     * length than the modulus is computed with another modulus, so that the time of a refusal reveals nothing about the key.
     */
    static boolean verify(Rs256Key key, Bytes signature, Bytes digest) {
        int length = signature.size();
        if (length < Rs256Key.MIN_BYTES || length > Rs256Key.MAX_BYTES) {
            return false;
        }
        boolean fits = length == key.n().size();
        BigInteger modulus = fits ? key.modulus() : ofLength(length);
        BigInteger number = new BigInteger(1, signature.toByteArray());
        BigInteger encoded = new BigInteger(1, encode(digest, length));
        boolean same = number.modPow(Rs256Key.EXPONENT, modulus).equals(encoded);
        return fits && same && number.compareTo(modulus) < 0;
    }

    /** Encodes a hash as EMSA-PKCS1-v1_5: {@code 00 01 ff … ff 00}, then the DigestInfo. */
    private static byte[] encode(Bytes digest, int length) {
        byte[] encoded = new byte[length];
        int info = length - HASH_BYTES - DIGEST_INFO.length;
        encoded[1] = 1;
        Arrays.fill(encoded, 2, info - 1, (byte) 0xff);
        System.arraycopy(DIGEST_INFO, 0, encoded, info, DIGEST_INFO.length);
        System.arraycopy(digest.toByteArray(), 0, encoded, length - HASH_BYTES, HASH_BYTES);
        return encoded;
    }

    private static BigInteger ofLength(int bytes) {
        return BigInteger.ONE.shiftLeft(8 * bytes).subtract(BigInteger.ONE);
    }
}
