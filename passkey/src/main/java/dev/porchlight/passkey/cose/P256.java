// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import java.math.BigInteger;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import org.jspecify.annotations.Nullable;

/** The curve P-256 (secp256r1, FIPS 186-5), and the check that a point is on it. */
final class P256 {
    static final int BYTES = 32;

    static final BigInteger P = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    static final BigInteger N = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    static final BigInteger B = hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
    private static final BigInteger THREE = BigInteger.valueOf(3);

    static final ECParameterSpec PARAMETERS = new ECParameterSpec(
            new EllipticCurve(new ECFieldFp(P), P.subtract(THREE), B),
            new ECPoint(
                    hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
                    hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")),
            N,
            1);

    private P256() {}

    /**
     * Returns why two coordinates are not a point on the curve, or null if they are.
     *
     * <p>The JDK's key factory does not check this. The point at infinity has no coordinates, and the cofactor is 1, so every
     * point on the curve is in the group.
     */
    static @Nullable String fault(Bytes x, Bytes y) {
        if (x.size() != BYTES || y.size() != BYTES) {
            return "a coordinate that is not " + BYTES + " bytes";
        }
        BigInteger bigX = new BigInteger(1, x.toByteArray());
        BigInteger bigY = new BigInteger(1, y.toByteArray());
        if (bigX.compareTo(P) >= 0 || bigY.compareTo(P) >= 0) {
            return "a coordinate outside the field";
        }
        BigInteger right = bigX.multiply(bigX).subtract(THREE).multiply(bigX).add(B);
        boolean onCurve = bigY.multiply(bigY).subtract(right).mod(P).signum() == 0;
        return onCurve ? null : "a point that is not on P-256";
    }

    static boolean isCurveOf(@Nullable ECParameterSpec other) {
        return other != null
                && other.getCurve().equals(PARAMETERS.getCurve())
                && other.getGenerator().equals(PARAMETERS.getGenerator())
                && other.getOrder().equals(N)
                && other.getCofactor() == 1;
    }

    private static BigInteger hex(String digits) {
        return new BigInteger(digits, 16);
    }
}
