// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stolen, injected, replayed and wrongly presented codes and refresh tokens. */
final class OpenIdCodes implements OpenId.Part {
    private static final int RUNNERS = 64;

    @Override
    public void run(OpenIdScene openId, Score score) {
        mixUp(openId, score);
        downgrade(openId.app(), score);
        verifiers(openId, score);
        injection(openId, score);
        replays(openId, score);
        races(openId, score);
        credentials(openId, score);
        ended(openId, score);
        score.skip("an expired code", "it is valid for a minute, too long to wait");
    }

    /** A client that uses several providers recognizes the one that responded by {@code iss} (RFC 9207). */
    private static void mixUp(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        TestResponse code = OpenIdClient.proceed(openId.victim(), app.begin(app.request()));
        TestResponse error = app.authorize(app.request("response_type", "token"));
        for (TestResponse response : List.of(code, error)) {
            String issuer = String.valueOf(OpenIdScene.parameter(response, "iss"));
            score.check(
                    "a response of another provider, passed off as this one's",
                    issuer.equals(openId.issuer()),
                    "iss is " + issuer);
            String state = String.valueOf(OpenIdScene.parameter(response, "state"));
            score.check("a response without the client's state", state.equals("the state"), "state is " + state);
        }
    }

    /** Requests without PKCE, or with its plain method. */
    private static void downgrade(OpenIdClient app, Score score) {
        begun(app, score, "no code challenge", app.request("code_challenge", ""));
        begun(app, score, "the plain method", app.request("code_challenge_method", "plain"));
        begun(app, score, "the method s256", app.request("code_challenge_method", "s256"));
        begun(app, score, "no method, which means plain", app.request("code_challenge_method", ""));
        begun(app, score, "a short code challenge", app.request("code_challenge", "a"));
        begun(app, score, "a padded code challenge", app.request("code_challenge", app.challenge() + '='));
        Map<String, String> none = app.request();
        none.remove("code_challenge");
        none.remove("code_challenge_method");
        begun(app, score, "no PKCE", none);
    }

    private static void begun(OpenIdClient app, Score score, String attempt, Map<String, String> request) {
        score.check(attempt, OpenIdClient.findSealed(app.authorize(request)) == null, "the sign-in begins");
    }

    private static void verifiers(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        for (String verifier : List.of(
                "",
                "a",
                app.challenge(),
                app.verifier() + 'a',
                openId.other().verifier(),
                "a".repeat(129),
                "a".repeat(9_000))) {
            Map<String, String> redemption = app.redeeming(app.code(openId.victim()));
            redemption.put("code_verifier", verifier);
            score.judge("a code with a verifier of " + verifier.length() + " characters", app.token(redemption));
        }
        Map<String, String> without = app.redeeming(app.code(openId.victim()));
        without.remove("code_verifier");
        score.judge("a code without a verifier", app.token(without));
        String code = app.code(openId.victim());
        Map<String, String> wrong = app.redeeming(code);
        wrong.put("code_verifier", openId.other().verifier());
        app.token(wrong);
        score.judge("a code after an attempt with another verifier", app.redeem(code));
    }

    /** A code that was stolen from the victim's browser, presented by others or in another session. */
    private static void injection(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        OpenIdClient other = openId.other();
        score.judge("a code of another client", other.redeem(app.code(openId.victim())));
        Map<String, String> withVerifier = other.redeeming(app.code(openId.victim()));
        withVerifier.put("code_verifier", app.verifier());
        score.judge("a code of another client, with its verifier", other.token(withVerifier));
        score.judge(
                "a code of a confidential client, at a public one",
                openId.nativeApp().redeem(app.code(openId.victim())));
        for (String uri : List.of("", OpenIdScene.APP_URI + '/', "https://evil.example/callback")) {
            Map<String, String> redirected = app.redeeming(app.code(openId.victim()));
            redirected.put("redirect_uri", uri);
            score.judge("a code with the redirect URI '" + uri + "'", app.token(redirected));
        }
        Map<String, String> unbound = app.redeeming(app.code(openId.victim()));
        unbound.remove("redirect_uri");
        score.judge("a code without a redirect URI", app.token(unbound));
        // The attacker's code reaches the victim's client, which holds the verifier of another request.
        OpenIdClient otherSession = app.withVerifier(other.verifier());
        score.judge("a code injected into another session", otherSession.redeem(app.code(openId.attacker())));
        String code = app.code(openId.victim());
        for (String forged :
                List.of(code + 'A', code.substring(1), flipped(code, 0), flipped(code, code.length() - 1), "", "0")) {
            score.judge("a changed code", app.redeem(forged));
        }
        JsonObject tokens = app.tokens(openId.victim());
        score.judge("a refresh token as a code", app.redeem(tokens.string("refresh_token", "")));
        score.judge("a code as a refresh token", app.refresh(app.code(openId.victim())));
        score.judge("a refresh token of another client", other.refresh(tokens.string("refresh_token", "")));
    }

    private static String flipped(String text, int at) {
        char other = text.charAt(at) == 'A' ? 'B' : 'A';
        return text.substring(0, at) + other + text.substring(at + 1);
    }

    private static void replays(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        String code = app.code(openId.victim());
        JsonObject tokens = app.redeem(code).jsonIfAny();
        score.judge("a code, redeemed twice", app.redeem(code));
        useless(app, score, tokens, "of a replayed code");
        JsonObject first = app.tokens(openId.victim());
        JsonObject second = app.refresh(first.string("refresh_token", "")).jsonIfAny();
        score.judge("a refresh token, used twice", app.refresh(first.string("refresh_token", "")));
        useless(app, score, second, "after a replayed refresh token");
        JsonObject revoked = app.tokens(openId.victim());
        app.authenticated().postForm("/oauth2/revoke", Map.of("token", revoked.string("access_token", "")));
        useless(app, score, revoked, "after revocation");
        JsonObject kept = app.tokens(openId.victim());
        OpenIdClient other = openId.other();
        other.authenticated().postForm("/oauth2/revoke", Map.of("token", kept.string("refresh_token", "")));
        score.check(
                "a revocation by another client",
                app.userinfo(kept.string("access_token", "")).ok(),
                "the token is revoked");
    }

    /** At most one of many concurrent requests may succeed, and the others are replays, which revoke what it got. */
    private static void races(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        race(openId.target(), app, score, "a code", app.redeeming(app.code(openId.victim())));
        String token = app.tokens(openId.victim()).string("refresh_token", "");
        race(openId.target(), app, score, "a refresh token", OpenIdClient.refreshing(token));
    }

    private static void race(
            Target target, OpenIdClient app, Score score, String what, Map<String, String> parameters) {
        List<TestResponse> responses = target.atOnce(
                RUNNERS,
                OpenIdClient.TOKEN,
                OpenIdClient.form(app.identified(parameters)),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Authorization",
                OpenIdClient.basic(app.id(), String.valueOf(app.secret())));
        List<TestResponse> winners = responses.stream().filter(TestResponse::ok).toList();
        for (int i = 1; i < RUNNERS; i++) {
            score.check(
                    what + ", " + RUNNERS + " times at once", i >= winners.size(), "accepted " + (i + 1) + " times");
        }
        winners.forEach(winner -> useless(app, score, winner.jsonIfAny(), "of " + what + " that was sent many times"));
    }

    /** Ways around the client's secret. */
    private static void credentials(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        OpenIdClient other = openId.other();
        String secret = String.valueOf(app.secret());
        String otherSecret = String.valueOf(other.secret());
        Map<String, String> valid =
                OpenIdClient.refreshing(app.tokens(openId.victim()).string("refresh_token", ""));
        Web web = app.web();
        Map<String, String> named = with(valid, "client_id", app.id());
        unauthenticated(score, "no credentials", web, valid);
        unauthenticated(score, "only the client's id", web, named);
        unauthenticated(score, "an empty secret", web, with(named, "client_secret", ""));
        unauthenticated(score, "another client's secret", web, with(named, "client_secret", otherSecret));
        unauthenticated(score, "a secret cut short", basic(app, secret.substring(1)), valid);
        unauthenticated(score, "another client's secret, in the header", basic(app, otherSecret), valid);
        unauthenticated(score, "another client's id in the form", other.authenticated(), named);
        unauthenticated(score, "two methods", app.authenticated(), with(named, "client_secret", secret));
        score.judge(
                "two headers",
                openId.target()
                        .send(
                                "POST",
                                OpenIdClient.TOKEN,
                                OpenIdClient.form(valid),
                                "Content-Type",
                                "application/x-www-form-urlencoded",
                                "Authorization",
                                OpenIdClient.basic(other.id(), otherSecret),
                                "Authorization",
                                OpenIdClient.basic(app.id(), secret)));
        TestResponse inQuery =
                app.web().postForm(OpenIdClient.TOKEN + "?client_id=" + app.id() + "&client_secret=" + secret, valid);
        score.judge("the secret in the query", inQuery);
        score.judge("a token request by GET", app.web().get(OpenIdClient.TOKEN + '?' + OpenIdClient.form(named)));
        for (String grant :
                List.of("password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer")) {
            Map<String, String> request = with(valid, "grant_type", grant);
            request.put("username", openId.scene().victim().userId());
            request.put("password", "password");
            score.judge("the grant type " + grant, app.token(request));
        }
        score.check(
                "refused credentials that use up the token", app.token(valid).ok(), "the honest client is refused");
    }

    private static Web basic(OpenIdClient app, String secret) {
        return app.web().with("Authorization", OpenIdClient.basic(app.id(), secret));
    }

    private static void unauthenticated(Score score, String attempt, Web caller, Map<String, String> parameters) {
        score.judge(attempt, caller.postForm(OpenIdClient.TOKEN, parameters));
    }

    private static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return more;
    }

    /** What clients got ends with the user's access. */
    private static void ended(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        Account person = openId.scene().attacker();
        GrantedAccess access = person.login();
        JsonObject tokens = app.tokens(openId.browser(access));
        String code = app.code(openId.browser(access));
        openId.target().post("/auth/logout?everywhere=true", null, access.headers());
        useless(app, score, tokens, "after signing out everywhere");
        score.judge("a code after signing out everywhere", app.redeem(code));
        person.login();
    }

    private static void useless(OpenIdClient app, Score score, JsonObject tokens, String when) {
        score.judge("a refresh token " + when, app.refresh(tokens.string("refresh_token", "")));
        score.judge("an access token " + when, app.userinfo(tokens.string("access_token", "")));
    }
}
