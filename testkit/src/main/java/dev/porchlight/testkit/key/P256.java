// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.key;

import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;

/** The curve P-256, for mutations of its points. */
public final class P256 {
    /** The order of the field. */
    public static final BigInteger P =
            new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);

    /** The order of the group. */
    public static final BigInteger N =
            new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);

    private static final BigInteger B =
            new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private P256() {}

    /** Returns x and y of the point with the smallest x, so that x + p fits into 32 octets. */
    public static byte[][] pointWithSmallX() {
        for (BigInteger x = BigInteger.ONE; ; x = x.add(BigInteger.ONE)) {
            BigInteger square = x.pow(3).subtract(THREE.multiply(x)).add(B).mod(P);
            BigInteger y = square.modPow(P.add(BigInteger.ONE).shiftRight(2), P);
            if (y.multiply(y).mod(P).equals(square)) {
                return new byte[][] {Octets.fixed(x, 32), Octets.fixed(y, 32)};
            }
        }
    }

    /** Returns the sum of a number and the order of the field, in 32 octets. */
    public static byte[] beyondTheField(byte[] number) {
        return Octets.fixed(new BigInteger(1, number).add(P), 32);
    }
}
