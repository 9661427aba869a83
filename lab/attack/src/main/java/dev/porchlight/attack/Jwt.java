// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A decoded token that can be modified. Immutable.
 *
 * @param header the JOSE header
 * @param claims the payload
 * @param signature the signature in base64url
 */
record Jwt(String header, String claims, String signature) {
    static Jwt parse(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw new AttackException("the service's token has " + parts.length + " parts instead of three");
        }
        return new Jwt(text(parts[0]), text(parts[1]), parts[2]);
    }

    Jwt withHeader(String name, Object value) {
        return new Jwt(JsonObject.parse(header).put(name, value).toString(), claims, signature);
    }

    Jwt withoutHeader(String name) {
        return new Jwt(JsonObject.parse(header).remove(name).toString(), claims, signature);
    }

    Jwt withClaim(String name, Object value) {
        return new Jwt(header, JsonObject.parse(claims).put(name, value).toString(), signature);
    }

    Jwt withoutClaim(String name) {
        return new Jwt(header, JsonObject.parse(claims).remove(name).toString(), signature);
    }

    Jwt withSignature(byte[] octets) {
        return new Jwt(header, claims, Octets.base64Url(octets));
    }

    byte[] signatureOctets() {
        return Octets.fromBase64Url(signature);
    }

    /** Signed with ES256 and a foreign key. */
    Jwt signedBy(CredentialKey key) {
        return withSignature(key.sign(content(), "SHA256withECDSAinP1363Format"));
    }

    /** Authenticated with HS256 and a key that may be public. */
    Jwt sealedUnder(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return withSignature(mac.doFinal(content()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonObject jwk(CredentialKey key) {
        return new JsonObject()
                .put("kty", "EC")
                .put("crv", "P-256")
                .put("x", Octets.base64Url(key.x()))
                .put("y", Octets.base64Url(key.y()));
    }

    private byte[] content() {
        return unsigned().getBytes(StandardCharsets.US_ASCII);
    }

    private String unsigned() {
        return Octets.base64Url(Octets.utf8(header)) + '.' + Octets.base64Url(Octets.utf8(claims));
    }

    private static String text(String base64Url) {
        return Octets.text(Octets.fromBase64Url(base64Url));
    }

    /** The encoded token. */
    @Override
    public String toString() {
        return unsigned() + '.' + signature;
    }
}
