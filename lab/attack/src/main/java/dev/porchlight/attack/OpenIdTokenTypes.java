// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
import dev.porchlight.testkit.wire.JsonObject;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tokens of one kind, presented as another kind, and forged access tokens. */
final class OpenIdTokenTypes extends OpenIdAttack {
    private static final List<String> KINDS = List.of("access_token", "id_token", "refresh_token");

    @Override
    void attemptOpenId() {
        GrantedAccess own = victim.access();
        JsonObject tokens = app.tokens(openId.browser(own));
        asAccessTokens(own, tokens);
        onOwnRoutes(own, tokens);
        atTheTokenEndpoint(own, tokens);
        forged(tokens);
        check(
                "the honest access token at the end",
                app.userinfo(tokens.string("access_token", "")).ok(),
                "is refused");
    }

    private void asAccessTokens(GrantedAccess own, JsonObject tokens) {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("an ID token", tokens.string("id_token", ""));
        others.put("a refresh token", tokens.string("refresh_token", ""));
        others.put("a code", app.code(openId.browser(own)));
        others.put("a client's secret", String.valueOf(app.secret()));
        others.put("nothing", "");
        if (own.token() != null) {
            others.put("the service's own token", own.token());
        }
        String cookie = own.cookie();
        if (cookie != null) {
            others.put("a session", cookie.substring(cookie.indexOf('=') + 1));
            judge("a session cookie at userinfo", target.get(OpenIdClient.USERINFO, "Cookie", cookie));
        }
        others.forEach((what, token) -> judge(what + " as an access token", app.userinfo(token)));
        String access = tokens.string("access_token", "");
        judge("an access token in the query", target.get(OpenIdClient.USERINFO + "?access_token=" + access));
        judge("two access tokens", target.get(OpenIdClient.USERINFO, Transport.and(bearer(access), bearer(access))));
    }

    private void onOwnRoutes(GrantedAccess own, JsonObject tokens) {
        for (String kind : KINDS) {
            String token = tokens.string(kind, "");
            for (String path : List.of(Person.SESSION, Person.REGISTER_OPTIONS, Person.CREDENTIALS)) {
                judge(kind + " at " + path, target.get(path, bearer(token)));
            }
            judge(kind + " at the admin API", target.get("/admin/users", bearer(token)));
            String sealed = app.begin(app.request());
            check(
                    kind + " in place of a session, to sign in to a client",
                    OpenIdScene.parameter(OpenIdClient.proceed(app.web().bearer(token), sealed), "code") == null,
                    "a code was issued");
            String cookie = own.cookie();
            if (cookie != null) {
                String name = cookie.substring(0, cookie.indexOf('='));
                judge(kind + " as a session", target.get(Person.SESSION, "Cookie", name + '=' + token));
            }
        }
    }

    private void atTheTokenEndpoint(GrantedAccess own, JsonObject tokens) {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("an access token", tokens.string("access_token", ""));
        others.put("an ID token", tokens.string("id_token", ""));
        if (own.token() != null) {
            others.put("the service's own token", own.token());
        }
        others.forEach((what, token) -> {
            judge(what + " as a refresh token", app.refresh(token));
            judge(what + " as a code", app.redeem(token));
            Map<String, String> form = OpenIdClient.refreshing("x");
            form.put("client_id", app.id());
            form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            form.put("client_assertion", token);
            int status = app.web().postForm(OpenIdClient.TOKEN, form).status();
            check(what + " as a client assertion", status == 401, "status " + status);
        });
        if (own.token() != null) {
            TestResponse signedIn = OpenIdClient.proceed(app.web().bearer(own.token()), app.begin(app.request()));
            check(
                    "the service's own token, to sign in to a client",
                    OpenIdScene.parameter(signedIn, "code") == null,
                    "a code was issued");
            target.get("/oauth2/logout?id_token_hint=" + own.token());
            check(
                    "the service's own token as an id_token_hint",
                    target.get(Person.SESSION, own.headers()).ok(),
                    "the session ended");
        }
    }

    private void forged(JsonObject tokens) {
        CredentialKey stranger = KeyAlgorithm.ES256.generate(new SecureRandom());
        Jwt access = Jwt.parse(tokens.string("access_token", ""));
        Map<String, Object> forged = new LinkedHashMap<>();
        for (String none : List.of("none", "None", "NONE", "")) {
            forged.put("alg '" + none + "'", access.withHeader("alg", none).withSignature(new byte[0]));
        }
        forged.put("another user", access.withClaim("sub", attacker.userId()));
        forged.put("a later expiry", access.withClaim("exp", 4_102_444_800L));
        forged.put("another key", access.signedBy(stranger));
        forged.put(
                "a key in its header",
                access.withHeader("jwk", Jwt.jwk(stranger)).signedBy(stranger));
        forged.put("the type JWT", access.withHeader("typ", "JWT"));
        forged.put(
                "the content of an ID token",
                new Jwt(
                        access.header(),
                        Jwt.parse(tokens.string("id_token", "")).claims(),
                        access.signature()));
        forged.put("no signature", access.withSignature(new byte[0]));
        forged.put("a megabyte", access + "A".repeat(1 << 20));
        forged.forEach((what, token) -> judge("an access token with " + what, app.userinfo(token.toString())));
    }
}
