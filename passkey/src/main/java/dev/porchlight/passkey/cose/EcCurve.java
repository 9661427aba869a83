// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.math.BigInteger;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import org.jspecify.annotations.Nullable;

/** The curves of FIPS 186-5, each with its only algorithm, and the check that a point is on them. */
@SuppressWarnings("ImmutableEnumChecker") // the JDK's parameter classes are immutable, if not annotated so
public enum EcCurve {
    P256(
            "P-256",
            1,
            CredentialAlgorithm.ES256,
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
            "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    P384(
            "P-384",
            2,
            CredentialAlgorithm.ES384,
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
            "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
            "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
            "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
            "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
            "3076301006072a8648ce3d020106052b81040022036200"),
    P521(
            "P-521",
            3,
            CredentialAlgorithm.ES512,
            "01" + "ff".repeat(65),
            "01" + "ff".repeat(32) + "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
            "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf07"
                    + "3573df883d2c34f1ef451fd46b503f00",
            "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de"
                    + "3348b3c1856a429bf97e7e31c2e5bd66",
            "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761"
                    + "353c7086a272c24088be94769fd16650",
            "30819b301006072a8648ce3d020106052b8104002303818600");

    private static final BigInteger THREE = BigInteger.valueOf(3);

    /** The name in a JWK. */
    final String jwk;

    /** The number in a COSE key. */
    final int cose;

    final CredentialAlgorithm algorithm;
    final BigInteger p;
    final BigInteger n;
    final BigInteger b;
    final ECParameterSpec parameters;

    /** The length of a coordinate. */
    final int bytes;

    /** The length of a coordinate in base64url. */
    final int chars;

    /** The SubjectPublicKeyInfo up to the uncompressed point: id-ecPublicKey, the curve, bit string header. */
    final Bytes spkiStart;

    EcCurve(
            String jwk,
            int cose,
            CredentialAlgorithm algorithm,
            String p,
            String n,
            String b,
            String x,
            String y,
            String spkiStart) {
        this.jwk = jwk;
        this.cose = cose;
        this.algorithm = algorithm;
        this.p = new BigInteger(p, 16);
        this.n = new BigInteger(n, 16);
        this.b = new BigInteger(b, 16);
        this.bytes = p.length() / 2;
        this.chars = (bytes * 8 + 5) / 6;
        this.spkiStart = Bytes.ofHex(spkiStart);
        this.parameters = new ECParameterSpec(
                new EllipticCurve(new ECFieldFp(this.p), this.p.subtract(BigInteger.valueOf(3)), this.b),
                new ECPoint(new BigInteger(x, 16), new BigInteger(y, 16)),
                this.n,
                1);
    }

    /**
     * Returns why two coordinates are not a point on the curve, or null if they are.
     *
     * <p>The JDK's key factory does not check this. The point at infinity has no coordinates, and the cofactor is 1, so every
     * point on the curve is in the group.
     */
    @Nullable
    String fault(Bytes x, Bytes y) {
        if (x.size() != bytes || y.size() != bytes) {
            return "a coordinate that is not " + bytes + " bytes";
        }
        BigInteger bigX = new BigInteger(1, x.toByteArray());
        BigInteger bigY = new BigInteger(1, y.toByteArray());
        if (bigX.compareTo(p) >= 0 || bigY.compareTo(p) >= 0) {
            return "a coordinate outside the field";
        }
        BigInteger right = bigX.multiply(bigX).subtract(THREE).multiply(bigX).add(b);
        boolean onCurve = bigY.multiply(bigY).subtract(right).mod(p).signum() == 0;
        return onCurve ? null : "a point that is not on " + jwk;
    }

    boolean isCurveOf(@Nullable ECParameterSpec other) {
        return other != null
                && other.getCurve().equals(parameters.getCurve())
                && other.getGenerator().equals(parameters.getGenerator())
                && other.getOrder().equals(n)
                && other.getCofactor() == 1;
    }

    /** Returns the number in the length of a coordinate, or in more if it does not fit, and the key is then refused. */
    Bytes coordinate(BigInteger number) {
        byte[] encoded = number.toByteArray();
        int spare = encoded.length - bytes;
        Bytes padding = Bytes.copyOf(new byte[Math.max(0, -spare)]);
        int sign = spare == 1 && encoded[0] == 0 ? 1 : 0;
        return padding.concat(Bytes.copyOf(encoded).slice(sign, encoded.length));
    }
}
