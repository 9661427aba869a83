// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import org.junit.jupiter.api.Test;

/** Every curve parameter of a key is compared, since each defines another group. */
class EcCurveTest {
    private static final EllipticCurve CURVE = EcCurve.P256.parameters.getCurve();
    private static final ECPoint GENERATOR = EcCurve.P256.parameters.getGenerator();
    private static final ECPoint OTHER_POINT = SignatureVerifier.KNOWN_KEY.point();

    @Test
    void the_parameters_of_p_256_are_recognized() {
        assertThat(EcCurve.P256.isCurveOf(new ECParameterSpec(CURVE, GENERATOR, EcCurve.P256.n, 1)))
                .isTrue();
    }

    @Test
    void other_parameters_are_another_curve() {
        EllipticCurve otherB =
                new EllipticCurve(new ECFieldFp(EcCurve.P256.p), CURVE.getA(), EcCurve.P256.b.add(BigInteger.ONE));
        assertThat(EcCurve.P256.isCurveOf(null)).isFalse();
        assertIsAnother(new ECParameterSpec(otherB, GENERATOR, EcCurve.P256.n, 1));
        assertIsAnother(new ECParameterSpec(CURVE, OTHER_POINT, EcCurve.P256.n, 1));
        assertIsAnother(new ECParameterSpec(CURVE, GENERATOR, EcCurve.P256.n.subtract(BigInteger.ONE), 1));
        assertIsAnother(new ECParameterSpec(CURVE, GENERATOR, EcCurve.P256.n, 2));
    }

    private static void assertIsAnother(ECParameterSpec parameters) {
        assertThat(EcCurve.P256.isCurveOf(parameters)).isFalse();
        ECPublicKey key = new StubKey(OTHER_POINT, parameters);
        assertThat(SignatureVerifier.KNOWN_KEY.matches(key)).isFalse();
        assertThat(EcKey.of(key)).isEmpty();
    }

    /** A key with arbitrary parameters. */
    private record StubKey(ECPoint point, ECParameterSpec parameters) implements ECPublicKey {
        @Override
        public ECPoint getW() {
            return point;
        }

        @Override
        public ECParameterSpec getParams() {
            return parameters;
        }

        @Override
        public String getAlgorithm() {
            return "EC";
        }

        @Override
        public String getFormat() {
            return "X.509";
        }

        @Override
        public byte[] getEncoded() {
            return new byte[0];
        }
    }
}
