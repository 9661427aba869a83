// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.crypto.Sealer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Creates tokens with the service's key or another one, and rotates keys as an operator does. */
public final class Forger {
    private final KeyRing ring;

    /** A forger with the secret and access to the database. */
    public Forger(Sql sql, String secret, Clock clock) {
        ring = new KeyRing(
                sql,
                new Sealer(new DerivedKeys(secret).signingKeySeal(), new SecureRandom()),
                clock,
                Duration.ofMinutes(15));
    }

    public String rotate() {
        ring.rotate();
        return kid();
    }

    public String kid() {
        return key().getKeyID();
    }

    /** The newest key, which other instances may not know yet. */
    public ECKey key() {
        return ring.published().stream()
                .filter(key -> key.algorithm().equals("ES256"))
                .findFirst()
                .map(key -> ring.named(key.kid()).toECKey())
                .orElseThrow();
    }

    /** A token signed with the service's own key. */
    public String sign(String header, String claims) {
        try {
            return sign(header, claims, key().toECPrivateKey());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String sign(String header, String claims, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(key);
            signature.update(content(header, claims).getBytes(StandardCharsets.US_ASCII));
            return content(header, claims) + '.' + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token whose signature is a MAC under a public key. */
    public static String mac(String header, String claims, byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] tag = mac.doFinal(content(header, claims).getBytes(StandardCharsets.US_ASCII));
            return content(header, claims) + '.' + base64(tag);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String content(String header, String claims) {
        return base64(header.getBytes(StandardCharsets.UTF_8)) + '.' + base64(claims.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
