// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.ECPoint;

/**
 * A plain implementation of ECDSA verification: slow, but correct for edge cases that providers get wrong.
 *
 * <p>Wycheproof has valid signatures with a short r or s that providers refuse: JDK 17 ignores that an r below p-n stands for
 * two x-coordinates, and Amazon's provider fails to invert 2^128. A real signature has such numbers with a probability below
 * 2^-118, so all of them are verified here and the result does not depend on the provider. All inputs are public, so the time
 * need not be constant.
 */
final class PlainEcdsa {
    private static final int SPARE_BITS = 8;
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private PlainEcdsa() {}

    /** Returns whether a number is too short to occur by chance: not much longer than half of the order. */
    static boolean isEdgeCase(EcdsaSignature signature) {
        BigInteger n = signature.curve().n;
        int bits = n.bitLength() / 2 + SPARE_BITS;
        return signature.r().bitLength() <= bits
                || signature.s().bitLength() <= bits
                || n.subtract(signature.s()).bitLength() <= bits;
    }

    /** Verifies a signature over the concatenated parts. */
    static boolean verify(EcKey key, EcdsaSignature signature, Bytes... signed) throws GeneralSecurityException {
        String algorithm = key.algorithm().jcaName();
        MessageDigest digest =
                MessageDigest.getInstance("SHA-" + algorithm.substring("SHA".length(), algorithm.indexOf("with")));
        for (Bytes part : signed) {
            digest.update(part.toByteArray());
        }
        return verify(key, signature, new BigInteger(1, digest.digest()));
    }

    /**
     * Verifies a signature as in FIPS 186-5, section 6.4.2. The type guarantees that r and s are in range, and no hash is
     * longer than the order of its curve.
     */
    static boolean verify(EcKey key, EcdsaSignature signature, BigInteger e) {
        BigInteger n = key.curve().n;
        BigInteger inverse = signature.s().modInverse(n);
        BigInteger u = e.multiply(inverse).mod(n);
        BigInteger v = signature.r().multiply(inverse).mod(n);
        ECPoint generator = key.curve().parameters.getGenerator();
        ECPoint point = key.point();
        Point sum = Point.infinity(key.curve().p);
        for (int bit = n.bitLength() - 1; bit >= 0; bit--) {
            sum = sum.twice();
            if (u.testBit(bit)) {
                sum = sum.plus(generator);
            }
            if (v.testBit(bit)) {
                sum = sum.plus(point);
            }
        }
        return !sum.isInfinite() && sum.affineX().mod(n).equals(signature.r());
    }

    /** A point in Jacobian coordinates: (x/z², y/z³), or infinity when z is zero. */
    private record Point(BigInteger x, BigInteger y, BigInteger z, BigInteger p) {
        static Point infinity(BigInteger p) {
            return new Point(BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO, p);
        }

        boolean isInfinite() {
            return z.signum() == 0;
        }

        BigInteger affineX() {
            return x.multiply(z.multiply(z).modInverse(p)).mod(p);
        }

        Point twice() {
            BigInteger zz = times(z, z);
            BigInteger yy = times(y, y);
            BigInteger beta = times(x, yy).shiftLeft(2);
            BigInteger alpha = times(x.subtract(zz), x.add(zz)).multiply(THREE);
            BigInteger x2 = alpha.multiply(alpha).subtract(beta.shiftLeft(1)).mod(p);
            BigInteger y2 = alpha.multiply(beta.subtract(x2))
                    .subtract(yy.multiply(yy).shiftLeft(3))
                    .mod(p);
            return new Point(x2, y2, times(y, z).shiftLeft(1).mod(p), p);
        }

        Point plus(ECPoint other) {
            if (isInfinite()) {
                return new Point(other.getAffineX(), other.getAffineY(), BigInteger.ONE, p);
            }
            BigInteger zz = times(z, z);
            BigInteger h = other.getAffineX().multiply(zz).subtract(x).mod(p);
            BigInteger slope =
                    other.getAffineY().multiply(times(zz, z)).subtract(y).mod(p);
            if (h.signum() == 0) {
                return slope.signum() == 0 ? twice() : infinity(p);
            }
            BigInteger hh = times(h, h);
            BigInteger hhh = times(hh, h);
            BigInteger v = times(x, hh);
            BigInteger x2 =
                    slope.multiply(slope).subtract(hhh).subtract(v.shiftLeft(1)).mod(p);
            BigInteger y2 =
                    slope.multiply(v.subtract(x2)).subtract(y.multiply(hhh)).mod(p);
            return new Point(x2, y2, times(z, h), p);
        }

        private BigInteger times(BigInteger a, BigInteger b) {
            return a.multiply(b).mod(p);
        }
    }
}
