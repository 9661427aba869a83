// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Forged client assertions ({@code private_key_jwt}) and DPoP proofs. */
final class OpenIdProofs extends OpenIdAttack {
    private static final String ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final int UNAUTHENTICATED = 401;

    @Override
    void attemptOpenId() {
        assertions();
        proofs();
    }

    private void assertions() {
        OpenIdClient client = openId.keyed();
        CredentialKey key = openId.key();
        CredentialKey stranger = KeyAlgorithm.ES256.generate(new SecureRandom());
        String valid = assertion().signedBy(key).toString();
        if (present(client, valid).status() == UNAUTHENTICATED) {
            throw new AttackException("a valid client assertion was refused");
        }
        refused(client, "an assertion, used twice", valid);
        for (Map.Entry<String, Jwt> forged :
                forgeries(assertion(), key, stranger).entrySet()) {
            refused(
                    client,
                    "an assertion with " + forged.getKey(),
                    forged.getValue().toString());
        }
        long now = System.currentTimeMillis() / 1_000;
        Map<String, Jwt> signed = new LinkedHashMap<>();
        signed.put("another audience", assertion().withClaim("aud", "https://evil.example/token"));
        signed.put("an endpoint as its audience", assertion().withClaim("aud", openId.issuer() + OpenIdClient.TOKEN));
        signed.put("two audiences", assertion().withClaim("aud", List.of(openId.issuer(), "https://evil.example")));
        signed.put("another client as its issuer", assertion().withClaim("iss", app.id()));
        signed.put("another client as its subject", assertion().withClaim("sub", app.id()));
        signed.put("an expiry in the past", assertion().withClaim("exp", now - 120));
        signed.put("an expiry in a year", assertion().withClaim("exp", now + 31_536_000));
        signed.put("a start in the future", assertion().withClaim("nbf", now + 3_600));
        signed.put("no expiry", assertion().withoutClaim("exp"));
        signed.put("no id", assertion().withoutClaim("jti"));
        signed.put("an empty id", assertion().withClaim("jti", ""));
        signed.forEach((what, jwt) ->
                refused(client, "an assertion with " + what, jwt.signedBy(key).toString()));
        Jwt forOther = assertion().withClaim("iss", app.id()).withClaim("sub", app.id());
        refused(
                app,
                "an assertion for a client without keys",
                forOther.signedBy(key).toString());
        for (String junk : List.of("", "x", "a.b.c", valid + "." + valid, "A".repeat(15_000))) {
            refused(client, "an assertion of " + junk.length() + " characters", junk);
        }
    }

    private Jwt assertion() {
        JsonObject claims = new JsonObject()
                .put("iss", openId.keyed().id())
                .put("sub", openId.keyed().id())
                .put("aud", openId.issuer())
                .put("exp", System.currentTimeMillis() / 1_000 + 60)
                .put("jti", UUID.randomUUID().toString());
        return new Jwt("{\"alg\":\"ES256\",\"kid\":\"1\"}", claims.toString(), "");
    }

    /** Authenticates with an assertion. Its refresh token is invalid, so an authenticated client gets another error. */
    private static TestResponse present(OpenIdClient client, String assertion) {
        Map<String, String> form = OpenIdClient.refreshing("x");
        form.put("client_id", client.id());
        form.put("client_assertion_type", ASSERTION_TYPE);
        form.put("client_assertion", assertion);
        return client.web().postForm(OpenIdClient.TOKEN, form);
    }

    private void refused(OpenIdClient client, String attempt, String assertion) {
        int status = present(client, assertion).status();
        check(attempt, status == UNAUTHENTICATED, "status " + status);
    }

    /** Algorithm confusion and foreign keys, by description. */
    private static Map<String, Jwt> forgeries(Jwt honest, CredentialKey key, CredentialKey stranger) {
        Map<String, Jwt> forged = new LinkedHashMap<>();
        for (String none : List.of("none", "None", "NONE", "")) {
            forged.put("alg '" + none + "'", honest.withHeader("alg", none));
            forged.put(
                    "alg '" + none + "' and a signature",
                    honest.withHeader("alg", none).signedBy(stranger));
        }
        Jwt mac = honest.withHeader("alg", "HS256");
        forged.put(
                "HS256 and the public key in DER",
                mac.sealedUnder(key.publicKey().getEncoded()));
        forged.put("HS256 and the x coordinate", mac.sealedUnder(key.x()));
        forged.put("HS256 and the JWK", mac.sealedUnder(Octets.utf8(Jwt.jwk(key).toString())));
        forged.put("HS256 and an empty key", mac.sealedUnder(new byte[1]));
        forged.put(
                "RS256 and an ECDSA signature",
                honest.withHeader("alg", "RS256").signedBy(key));
        forged.put(
                "ES384 and an ES256 signature",
                honest.withHeader("alg", "ES384").signedBy(key));
        forged.put("another key", honest.signedBy(stranger));
        forged.put("another key and no kid", honest.withoutHeader("kid").signedBy(stranger));
        forged.put(
                "an embedded key with kid 1",
                honest.withHeader("jwk", Jwt.jwk(stranger).put("kid", "1")).signedBy(stranger));
        forged.put(
                "a link to keys",
                honest.withHeader("jku", "http://127.0.0.1:9/keys.json").signedBy(stranger));
        forged.put(
                "a critical header", honest.withHeader("crit", List.of("exp")).signedBy(key));
        forged.put("no signature", honest);
        forged.put("a signature of zeros", honest.withSignature(new byte[64]));
        return forged;
    }

    /** Proofs for an access token that is bound to a key. */
    private void proofs() {
        OpenIdClient client = openId.nativeApp();
        CredentialKey key = KeyAlgorithm.ES256.generate(new SecureRandom());
        CredentialKey stranger = KeyAlgorithm.ES256.generate(new SecureRandom());
        Proof atToken = new Proof(openId.issuer(), "POST", OpenIdClient.TOKEN, null);
        JsonObject tokens = client.post(
                        client.authenticated().with("DPoP", atToken.by(key).toString()),
                        OpenIdClient.TOKEN,
                        client.redeeming(client.code(openId.victim())))
                .jsonIfAny();
        String access = tokens.string("access_token", "");
        Proof atUserinfo = new Proof(openId.issuer(), "GET", OpenIdClient.USERINFO, access);
        String valid = atUserinfo.by(key).toString();
        if (!userinfo(access, valid).ok()) {
            throw new AttackException("a valid DPoP proof was refused");
        }
        judge("a proof, used twice", userinfo(access, valid));
        judge("a bound token as a bearer token", client.userinfo(access));
        judge("a bound token without a proof", target.get(OpenIdClient.USERINFO, "Authorization", "DPoP " + access));
        judge("a proof of another key", userinfo(access, atUserinfo.by(stranger).toString()));
        forgeries(atUserinfo.unsigned(key), key, stranger).forEach((what, jwt) -> {
            if (!what.startsWith("an embedded key")) {
                judge("a proof with " + what, userinfo(access, jwt.toString()));
            }
        });
        long now = System.currentTimeMillis() / 1_000;
        Map<String, Jwt> signed = new LinkedHashMap<>();
        signed.put("another method", atUserinfo.unsigned(key).withClaim("htm", "POST"));
        signed.put("another URI", atUserinfo.unsigned(key).withClaim("htu", openId.issuer() + OpenIdClient.TOKEN));
        signed.put(
                "another host",
                atUserinfo.unsigned(key).withClaim("htu", "https://evil.example" + OpenIdClient.USERINFO));
        signed.put("another token's hash", atUserinfo.unsigned(key).withClaim("ath", Octets.base64Url(new byte[32])));
        signed.put("no token hash", atUserinfo.unsigned(key).withoutClaim("ath"));
        signed.put("no id", atUserinfo.unsigned(key).withoutClaim("jti"));
        signed.put("no time", atUserinfo.unsigned(key).withoutClaim("iat"));
        signed.put("an old time", atUserinfo.unsigned(key).withClaim("iat", now - 3_600));
        signed.put("a time in the future", atUserinfo.unsigned(key).withClaim("iat", now + 3_600));
        signed.put("the type JWT", atUserinfo.unsigned(key).withHeader("typ", "JWT"));
        signed.put("no type", atUserinfo.unsigned(key).withoutHeader("typ"));
        signed.put("no key", atUserinfo.unsigned(key).withoutHeader("jwk"));
        signed.put("another key in its header", atUserinfo.unsigned(key).withHeader("jwk", Jwt.jwk(stranger)));
        signed.forEach((what, jwt) ->
                judge("a proof with " + what, userinfo(access, jwt.signedBy(key).toString())));
        judge(
                "two proofs",
                target.get(
                        OpenIdClient.USERINFO,
                        "Authorization",
                        "DPoP " + access,
                        "DPoP",
                        atUserinfo.by(stranger).toString(),
                        "DPoP",
                        atUserinfo.by(key).toString()));
        String refresh = tokens.string("refresh_token", "");
        judge(
                "a bound refresh token with another key",
                client.post(
                        client.authenticated().with("DPoP", atToken.by(stranger).toString()),
                        OpenIdClient.TOKEN,
                        OpenIdClient.refreshing(refresh)));
        String unbound = client.tokens(openId.victim()).string("access_token", "");
        Proof forUnbound = new Proof(openId.issuer(), "GET", OpenIdClient.USERINFO, unbound);
        judge(
                "a bearer token with a proof",
                userinfo(unbound, forUnbound.by(key).toString()));
    }

    private TestResponse userinfo(String access, String proof) {
        return target.get(OpenIdClient.USERINFO, "Authorization", "DPoP " + access, "DPoP", proof);
    }

    /** The content of a proof. */
    private record Proof(
            String issuer,
            String method,
            String path,
            @Nullable String token) {
        Jwt unsigned(CredentialKey key) {
            JsonObject header =
                    new JsonObject().put("alg", "ES256").put("typ", "dpop+jwt").put("jwk", Jwt.jwk(key));
            JsonObject claims = new JsonObject()
                    .put("jti", UUID.randomUUID().toString())
                    .put("htm", method)
                    .put("htu", issuer + path)
                    .put("iat", System.currentTimeMillis() / 1_000);
            if (token != null) {
                claims.put("ath", Octets.base64Url(Octets.sha256(Octets.utf8(token))));
            }
            return new Jwt(header.toString(), claims.toString(), "");
        }

        Jwt by(CredentialKey key) {
            return unsigned(key).signedBy(key);
        }
    }
}
