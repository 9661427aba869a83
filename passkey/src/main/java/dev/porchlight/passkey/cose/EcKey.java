// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Base64Url;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
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
    static final String KTY = "EC";
    private static final String PART = CoseKey.PART;

    // The parts of a JWK as toJwk writes it, around the name of the curve and the coordinates.
    private static final String JWK_START = "{\"kty\":\"EC\",\"crv\":\"";
    private static final String JWK_X = "\",\"x\":\"";
    private static final String JWK_Y = "\",\"y\":\"";
    private static final String JWK_END = "\"}";

    /** Creates a key from the coordinates of a point on the curve. */
    public EcKey {
        String fault = curve.fault(x, y);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    /**
     * Parses a COSE key with exactly kty, alg, crv, x and y.
     *
     * <p>WebAuthn allows no other member in a credential public key (section 6.5.1.1), so a private {@code d} or
     * any other member is refused. Compressed points are not allowed either (section 5.8.5), so {@code y} is never a sign bit.
     */
    static EcKey fromCose(EcCurve curve, CborMap key) throws MalformedException {
        CoseKey.expect(key, 1, 2, "kty", "not EC2 (2)");
        CoseKey.expectAlgorithm(key, curve.algorithm);
        CoseKey.expect(key, -1, curve.cose, "crv", "not " + curve.jwk + " (" + curve.cose + ")");
        Bytes x = CborMap.bytes(key.get(-2), PART + ".x");
        Bytes y = CborMap.bytes(key.get(-3), PART + ".y");
        if (key.size() != 5) {
            throw new MalformedException(PART, "members other than kty, alg, crv, x and y");
        }
        return of(curve, x, y, PART);
    }

    /** Parses a JWK exactly as {@link #toJwk} writes it; null if it has another form. */
    static @Nullable EcKey fromCanonicalJwk(String json) throws MalformedException {
        for (EcCurve curve : EcCurve.values()) {
            int x = JWK_START.length() + curve.jwk.length() + JWK_X.length();
            int y = x + curve.chars + JWK_Y.length();
            boolean canonical = json.length() == y + curve.chars + JWK_END.length()
                    && json.startsWith(JWK_START)
                    && json.startsWith(curve.jwk, JWK_START.length())
                    && json.startsWith(JWK_X, x - JWK_X.length())
                    && json.startsWith(JWK_Y, x + curve.chars)
                    && json.endsWith(JWK_END);
            if (canonical) {
                return of(curve, coordinate(curve, json, x, "jwk.x"), coordinate(curve, json, y, "jwk.y"), "jwk");
            }
        }
        return null;
    }

    private static Bytes coordinate(EcCurve curve, String json, int from, String part) throws MalformedException {
        return Base64Url.decode(json.substring(from, from + curve.chars), curve.bytes, part);
    }

    static EcKey read(JsonObject jwk) throws MalformedException {
        String name = jwk.text("crv");
        for (EcCurve curve : EcCurve.values()) {
            if (curve.jwk.equals(name)) {
                return of(curve, jwk.bytes("x", curve.bytes), jwk.bytes("y", curve.bytes), "jwk");
            }
        }
        throw jwk.malformed("crv", "not P-256, P-384 or P-521");
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
    public void writeTo(JsonWriter jwk) {
        jwk.text("kty", KTY).text("crv", curve.jwk).bytes("x", x).bytes("y", y);
    }

    /** The uncompressed point of ANSI X9.62: 0x04, x, y. */
    public Bytes uncompressedPoint() {
        return Bytes.copyOf(new byte[] {4}).concat(x).concat(y);
    }

    @Override
    public List<String> members() {
        return List.of("kty", "crv", "x", "y");
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
        return (ECPublicKey) SignatureVerifier.key(KTY, provider, curve.spkiStart.concat(uncompressedPoint()));
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
        Provider used = curve == EcCurve.P256 ? provider : SignatureVerifier.having(provider, name, KTY);
        return SignatureVerifier.verify(name, used, toPublicKey(used), signature, signed);
    }

    ECPoint point() {
        return new ECPoint(new BigInteger(1, x.toByteArray()), new BigInteger(1, y.toByteArray()));
    }

    private static EcKey of(EcCurve curve, Bytes x, Bytes y, String part) throws MalformedException {
        try {
            return new EcKey(curve, x, y);
        } catch (IllegalArgumentException e) {
            throw new MalformedException(part, String.valueOf(e.getMessage()));
        }
    }
}
