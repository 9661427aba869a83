// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import java.math.BigInteger;
import java.security.spec.ECPoint;

/**
 * A plain implementation of ECDSA verification over P-256: slow, but correct for edge cases that providers get wrong.
 *
 * <p>Wycheproof has valid signatures with a short r or s that providers refuse: JDK 17 ignores that an r below p-n stands for
 * two x-coordinates, and Amazon's provider fails to invert 2^128. A real signature has such numbers with a probability below
 * 2^-118, so all of them are verified here and the result does not depend on the provider. All inputs are public, so the time
 * need not be constant.
 */
final class PlainEcdsa {
    private static final BigInteger P = P256.P;
    private static final BigInteger N = P256.N;
    private static final int SHORT_BITS = 136;
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private PlainEcdsa() {}

    /** Returns whether a number is too short to occur by chance. */
    static boolean isEdgeCase(EcdsaSignature signature) {
        return signature.r().bitLength() <= SHORT_BITS
                || signature.s().bitLength() <= SHORT_BITS
                || N.subtract(signature.s()).bitLength() <= SHORT_BITS;
    }

    /** Verifies a signature as in FIPS 186-5, section 6.4.2. The type guarantees that r and s are in range. */
    static boolean verify(Es256Key key, EcdsaSignature signature, Bytes digest) {
        BigInteger e = new BigInteger(1, digest.toByteArray());
        BigInteger inverse = signature.s().modInverse(N);
        BigInteger u = e.multiply(inverse).mod(N);
        BigInteger v = signature.r().multiply(inverse).mod(N);
        ECPoint generator = P256.PARAMETERS.getGenerator();
        ECPoint point = key.point();
        Point sum = Point.INFINITY;
        for (int bit = N.bitLength() - 1; bit >= 0; bit--) {
            sum = sum.twice();
            if (u.testBit(bit)) {
                sum = sum.plus(generator);
            }
            if (v.testBit(bit)) {
                sum = sum.plus(point);
            }
        }
        return !sum.isInfinite() && sum.affineX().mod(N).equals(signature.r());
    }

    /** A point in Jacobian coordinates: (x/z², y/z³), or infinity when z is zero. */
    private record Point(BigInteger x, BigInteger y, BigInteger z) {
        static final Point INFINITY = new Point(BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO);

        boolean isInfinite() {
            return z.signum() == 0;
        }

        BigInteger affineX() {
            return x.multiply(z.multiply(z).modInverse(P)).mod(P);
        }

        Point twice() {
            BigInteger zz = times(z, z);
            BigInteger yy = times(y, y);
            BigInteger beta = times(x, yy).shiftLeft(2);
            BigInteger alpha = times(x.subtract(zz), x.add(zz)).multiply(THREE);
            BigInteger x2 = alpha.multiply(alpha).subtract(beta.shiftLeft(1)).mod(P);
            BigInteger y2 = alpha.multiply(beta.subtract(x2))
                    .subtract(yy.multiply(yy).shiftLeft(3))
                    .mod(P);
            return new Point(x2, y2, times(y, z).shiftLeft(1).mod(P));
        }

        Point plus(ECPoint other) {
            if (isInfinite()) {
                return new Point(other.getAffineX(), other.getAffineY(), BigInteger.ONE);
            }
            BigInteger zz = times(z, z);
            BigInteger h = other.getAffineX().multiply(zz).subtract(x).mod(P);
            BigInteger slope =
                    other.getAffineY().multiply(times(zz, z)).subtract(y).mod(P);
            if (h.signum() == 0) {
                return slope.signum() == 0 ? twice() : INFINITY;
            }
            BigInteger hh = times(h, h);
            BigInteger hhh = times(hh, h);
            BigInteger v = times(x, hh);
            BigInteger x2 =
                    slope.multiply(slope).subtract(hhh).subtract(v.shiftLeft(1)).mod(P);
            BigInteger y2 =
                    slope.multiply(v.subtract(x2)).subtract(y.multiply(hhh)).mod(P);
            return new Point(x2, y2, times(z, h));
        }

        private static BigInteger times(BigInteger a, BigInteger b) {
            return a.multiply(b).mod(P);
        }
    }
}
