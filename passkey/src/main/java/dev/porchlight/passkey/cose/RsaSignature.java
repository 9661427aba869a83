// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * RSA verification with SHA-256: PKCS#1 v1.5 and PSS (RFC 8017, sections 8.2.2 and 8.1.2).
 *
 * <p>For PKCS#1 v1.5 it computes the encoded message and compares all of it. Parsing the padding instead is what lets forged
 * signatures pass, and providers disagree on an absent NULL in the algorithm identifier, so no provider is used. All inputs
 * are public, so the time need not be constant.
 */
final class RsaSignature {
    /** The DER of a DigestInfo with SHA-256, up to the hash. */
    private static final byte[] DIGEST_INFO =
            Bytes.ofHex("3031300d060960864801650304020105000420").toByteArray();

    /** The length of the hash, and of the salt of PSS. */
    private static final int HASH_BYTES = 32;

    private static final Bytes PSS_PADDING = Bytes.copyOf(new byte[8]);
    private static final int PSS_TRAILER = 0xbc;

    private RsaSignature() {}

    /**
     * Returns whether a signature verifies. Its length decides how much is computed, whatever the key: a signature of another
     * length than the modulus is computed with another modulus, so that the time of a refusal reveals nothing about the key.
     */
    static boolean verify(RsaKey key, Bytes signature, Bytes digest) {
        int length = signature.size();
        if (length < RsaKey.MIN_BYTES || length > RsaKey.MAX_BYTES) {
            return false;
        }
        boolean fits = length == key.n().size();
        BigInteger modulus = fits ? key.modulus() : ofLength(length);
        BigInteger number = new BigInteger(1, signature.toByteArray());
        BigInteger message = number.modPow(RsaKey.EXPONENT, modulus);
        boolean encodes = key.algorithm() == CredentialAlgorithm.PS256
                ? isPss(message, modulus.bitLength() - 1, digest)
                : message.equals(new BigInteger(1, encode(digest, length)));
        return fits && encodes && number.compareTo(modulus) < 0;
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

    /**
     * Verifies EMSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes (RFC 8017, section 9.1.2): the masked data block,
     * the hash of digest and salt, and the trailer. The data block is zeros, 1 and the salt.
     */
    private static boolean isPss(BigInteger message, int bits, Bytes digest) {
        int length = (bits + 7) / 8;
        if (message.bitLength() > bits || (message.intValue() & 0xff) != PSS_TRAILER) {
            return false;
        }
        byte[] encoded = fixed(message, length);
        int blockLength = length - HASH_BYTES - 1;
        Bytes hash = Bytes.copyOf(Arrays.copyOfRange(encoded, blockLength, length - 1));
        byte[] mask = mask(hash, blockLength);
        byte[] block = new byte[blockLength];
        for (int i = 0; i < blockLength; i++) {
            block[i] = (byte) (encoded[i] ^ mask[i]);
        }
        block[0] &= (byte) (0xff >> 8 * length - bits);
        int salt = blockLength - HASH_BYTES;
        byte[] expected = new byte[salt];
        expected[salt - 1] = 1;
        return Arrays.equals(expected, Arrays.copyOf(block, salt))
                && PSS_PADDING
                        .concat(digest)
                        .concat(Bytes.copyOf(Arrays.copyOfRange(block, salt, blockLength)))
                        .sha256()
                        .equals(hash);
    }

    /** MGF1 with SHA-256. */
    private static byte[] mask(Bytes seed, int length) {
        ByteBuffer mask = ByteBuffer.allocate(length + HASH_BYTES);
        for (int counter = 0; mask.position() < length; counter++) {
            Bytes number = Bytes.copyOf(ByteBuffer.allocate(4).putInt(counter).array());
            mask.put(seed.concat(number).sha256().toByteArray());
        }
        return mask.array();
    }

    private static byte[] fixed(BigInteger number, int length) {
        byte[] shortest = number.toByteArray();
        byte[] fixed = new byte[length];
        int sign = shortest.length > length ? 1 : 0;
        System.arraycopy(shortest, sign, fixed, length - shortest.length + sign, shortest.length - sign);
        return fixed;
    }

    private static BigInteger ofLength(int bytes) {
        return BigInteger.ONE.shiftLeft(8 * bytes).subtract(BigInteger.ONE);
    }
}
