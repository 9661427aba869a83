// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.KeyType.Member;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A public key for ES256, ES384 or ES512: a point that was checked to be on its curve. Immutable.
 *
 * @param x big-endian, in the length of the field
 * @param y big-endian, in the length of the field
 */
public record EcKey(EcCurve curve, Bytes x, Bytes y) implements CredentialPublicKey {
    /** Creates a key from the coordinates of a point on the curve. */
    public EcKey {
        String fault = curve.fault(x, y);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    static KeyType type(EcCurve curve) {
        ECPoint generator = curve.parameters.getGenerator();
        return new KeyType(
                curve.algorithm,
                List.of(
                        Member.kty(2, "EC"),
                        Member.alg(curve.algorithm, false),
                        Member.crv(curve.cose, curve.jwk),
                        Member.bytes("x", -2, curve.bytes),
                        // Compressed points are not allowed (section 5.8.5), so this is never a sign bit.
                        Member.bytes("y", -3, curve.bytes)),
                values -> new EcKey(curve, values.get(0), values.get(1)),
                List.of(curve.coordinate(generator.getAffineX()), curve.coordinate(generator.getAffineY())));
    }

    /** Converts a JCA key, such as that of a certificate; empty if it is not a point on one of the curves. */
    public static Optional<EcKey> of(PublicKey key) {
        if (key instanceof ECPublicKey ec) {
            for (EcCurve curve : EcCurve.values()) {
                if (curve.isCurveOf(ec.getParams())) {
                    Bytes x = curve.coordinate(ec.getW().getAffineX());
                    Bytes y = curve.coordinate(ec.getW().getAffineY());
                    return curve.fault(x, y) == null ? Optional.of(new EcKey(curve, x, y)) : Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public CredentialAlgorithm algorithm() {
        return curve.algorithm;
    }

    @Override
    public List<Bytes> values() {
        return List.of(x, y);
    }

    /** The uncompressed point of ANSI X9.62: 0x04, x, y. */
    public Bytes uncompressedPoint() {
        return Bytes.copyOf(new byte[] {4}).concat(x).concat(y);
    }

    @Override
    public boolean matches(PublicKey other) {
        return other instanceof ECPublicKey ec
                && curve.isCurveOf(ec.getParams())
                && ec.getW().equals(point());
    }

    /** Converts to a JCA key of the given provider, or of the default provider if null. */
    public ECPublicKey toPublicKey(@Nullable Provider provider) throws GeneralSecurityException {
        // Encoded, because from integers providers look up the curve and encode the key themselves.
        return (ECPublicKey) SignatureVerifier.key("EC", provider, curve.spkiStart.concat(uncompressedPoint()));
    }

    @Override
    public boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed)
            throws GeneralSecurityException, MalformedException {
        EcdsaSignature numbers = EcdsaSignature.parse(curve, signature);
        if (PlainEcdsa.isEdgeCase(numbers)) {
            return PlainEcdsa.verify(this, numbers, signed);
        }
        String name = algorithm().jcaName();
        // Every provider was tested for P-256.
        Provider used = curve == EcCurve.P256 ? provider : SignatureVerifier.having(provider, name, "EC");
        return SignatureVerifier.verify(name, used, toPublicKey(used), signature, signed);
    }

    ECPoint point() {
        return new ECPoint(new BigInteger(1, x.toByteArray()), new BigInteger(1, y.toByteArray()));
    }
}
