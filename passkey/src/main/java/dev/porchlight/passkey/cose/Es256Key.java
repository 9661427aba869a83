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
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.security.spec.X509EncodedKeySpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A public key for ES256: a point that was checked to be on the curve P-256. Immutable.
 *
 * @param x 32 bytes, big-endian
 * @param y 32 bytes, big-endian
 */
public record Es256Key(Bytes x, Bytes y) implements CredentialPublicKey {
    private static final String PART = CoseKey.PART;

    /** The SubjectPublicKeyInfo up to the uncompressed point: id-ecPublicKey, secp256r1, bit string header. */
    private static final Bytes SPKI_START = Bytes.ofHex("3059301306072a8648ce3d020106082a8648ce3d030107034200");

    // The parts of a JWK as toJwk writes it, around the coordinates.
    private static final String JWK_START = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"";
    private static final String JWK_MIDDLE = "\",\"y\":\"";
    private static final String JWK_END = "\"}";
    private static final int COORDINATE_CHARS = 43;

    /** Creates a key from the coordinates of a point on the curve. */
    public Es256Key {
        String fault = P256.fault(x, y);
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
    public static Es256Key fromCose(CborMap key) throws MalformedException {
        CoseKey.expect(key, 1, 2, "kty", "not EC2 (2)");
        CoseKey.expect(key, 3, CredentialAlgorithm.ES256.cose(), "alg", "not ES256 (-7)");
        CoseKey.expect(key, -1, 1, "crv", "not P-256 (1)");
        Bytes x = CborMap.bytes(key.get(-2), PART + ".x");
        Bytes y = CborMap.bytes(key.get(-3), PART + ".y");
        if (key.size() != 5) {
            throw new MalformedException(PART, "members other than kty, alg, crv, x and y");
        }
        return of(x, y, PART);
    }

    /** Parses a stored JWK, with exactly kty, crv, x and y. */
    public static Es256Key fromJwk(String json) throws MalformedException {
        int x = JWK_START.length();
        int y = x + COORDINATE_CHARS + JWK_MIDDLE.length();
        boolean canonical = json.length() == y + COORDINATE_CHARS + JWK_END.length()
                && json.startsWith(JWK_START)
                && json.startsWith(JWK_MIDDLE, x + COORDINATE_CHARS)
                && json.endsWith(JWK_END);
        // Fast path: nearly every row has this form.
        return canonical ? of(coordinate(json, x, "jwk.x"), coordinate(json, y, "jwk.y"), "jwk") : parseJwk(json);
    }

    private static Bytes coordinate(String json, int from, String part) throws MalformedException {
        return Base64Url.decode(json.substring(from, from + COORDINATE_CHARS), P256.BYTES, part);
    }

    private static Es256Key parseJwk(String json) throws MalformedException {
        JsonObject jwk = JsonObject.parse(json, "jwk");
        Es256Key key = read(jwk);
        if (jwk.names().size() != 4) {
            throw new MalformedException("jwk", "members other than kty, crv, x and y");
        }
        return key;
    }

    static Es256Key read(JsonObject jwk) throws MalformedException {
        if (!jwk.text("kty").equals("EC")) {
            throw jwk.malformed("kty", "not EC");
        }
        if (!jwk.text("crv").equals("P-256")) {
            throw jwk.malformed("crv", "not P-256");
        }
        return of(jwk.bytes("x", P256.BYTES), jwk.bytes("y", P256.BYTES), "jwk");
    }

    /** Converts a JCA key, such as that of a certificate; empty if it is not a point on this curve. */
    public static Optional<Es256Key> of(PublicKey key) {
        if (!(key instanceof ECPublicKey ec) || !P256.isCurveOf(ec.getParams())) {
            return Optional.empty();
        }
        Bytes x = coordinate(ec.getW().getAffineX());
        Bytes y = coordinate(ec.getW().getAffineY());
        return P256.fault(x, y) == null ? Optional.of(new Es256Key(x, y)) : Optional.empty();
    }

    @Override
    public CredentialAlgorithm algorithm() {
        return CredentialAlgorithm.ES256;
    }

    @Override
    public void writeTo(JsonWriter jwk) {
        jwk.text("kty", "EC").text("crv", "P-256").bytes("x", x).bytes("y", y);
    }

    /** The uncompressed point of ANSI X9.62: 0x04, x, y. */
    public Bytes uncompressedPoint() {
        return Bytes.copyOf(new byte[] {4}).concat(x).concat(y);
    }

    @Override
    public boolean matches(PublicKey other) {
        return other instanceof ECPublicKey ec
                && P256.isCurveOf(ec.getParams())
                && ec.getW().equals(point());
    }

    /** Converts to a JCA key of the given provider, or of the default provider if null. */
    public ECPublicKey toPublicKey(@Nullable Provider provider) throws GeneralSecurityException {
        KeyFactory factory = provider == null ? KeyFactory.getInstance("EC") : KeyFactory.getInstance("EC", provider);
        // Encoded, because from integers providers look up the curve and encode the key themselves.
        Bytes encoded = SPKI_START.concat(uncompressedPoint());
        return (ECPublicKey) factory.generatePublic(new X509EncodedKeySpec(encoded.toByteArray()));
    }

    ECPoint point() {
        return new ECPoint(new BigInteger(1, x.toByteArray()), new BigInteger(1, y.toByteArray()));
    }

    /** Returns the number in 32 bytes, or in more if it does not fit, and the key is then refused. */
    private static Bytes coordinate(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int spare = bytes.length - P256.BYTES;
        Bytes padding = Bytes.copyOf(new byte[Math.max(0, -spare)]);
        int sign = spare == 1 && bytes[0] == 0 ? 1 : 0;
        return padding.concat(Bytes.copyOf(bytes).slice(sign, bytes.length));
    }

    private static Es256Key of(Bytes x, Bytes y, String part) throws MalformedException {
        try {
            return new Es256Key(x, y);
        } catch (IllegalArgumentException e) {
            throw new MalformedException(part, String.valueOf(e.getMessage()));
        }
    }
}
