// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stolen, injected, replayed and wrongly presented codes and refresh tokens. */
final class OpenIdCodes extends OpenIdAttack {
    private static final String[] FORM = {"Content-Type", "application/x-www-form-urlencoded"};

    @Override
    void attemptOpenId() {
        mixUp();
        downgrade();
        verifiers();
        injection();
        replays();
        races();
        credentials();
        ended();
        skip("an expired code", "it is valid for a minute, too long to wait");
    }

    /** A client that uses several providers recognizes the one that responded by {@code iss} (RFC 9207). */
    private void mixUp() {
        TestResponse code = signIn();
        TestResponse error = app.authorize(app.request("response_type", "token"));
        for (TestResponse response : List.of(code, error)) {
            String issuer = String.valueOf(OpenIdScene.parameter(response, "iss"));
            check(
                    "a response of another provider, passed off as this one's",
                    issuer.equals(openId.issuer()),
                    "iss is " + issuer);
            String state = String.valueOf(OpenIdScene.parameter(response, "state"));
            check("a response without the client's state", state.equals("the state"), "state is " + state);
        }
    }

    /** Requests without PKCE, or with its plain method. */
    private void downgrade() {
        begun("no code challenge", app.request("code_challenge", ""));
        begun("the plain method", app.request("code_challenge_method", "plain"));
        begun("the method s256", app.request("code_challenge_method", "s256"));
        begun("no method, which means plain", app.request("code_challenge_method", ""));
        begun("a short code challenge", app.request("code_challenge", "a"));
        begun("a padded code challenge", app.request("code_challenge", app.challenge() + '='));
        Map<String, String> none = app.request();
        none.remove("code_challenge");
        none.remove("code_challenge_method");
        begun("no PKCE", none);
    }

    private void begun(String attempt, Map<String, String> request) {
        check(attempt, OpenIdClient.findSealed(app.authorize(request)) == null, "the sign-in begins");
    }

    private void verifiers() {
        for (String verifier : List.of(
                "",
                "a",
                app.challenge(),
                app.verifier() + 'a',
                openId.other().verifier(),
                "a".repeat(129),
                "a".repeat(9_000))) {
            judge(
                    "a code with a verifier of " + verifier.length() + " characters",
                    redeem(app, "code_verifier", verifier));
        }
        judge("a code without a verifier", redeem(app, "code_verifier", null));
        String code = code();
        String refreshToken = app.redeem(code).json().string("refresh_token");
        app.withVerifier(openId.other().verifier()).redeem(code);
        openId.other().redeem(code);
        check(
                "ending a sign-in with a used code that was found",
                app.refresh(refreshToken).status() == 200,
                "the sign-in ended");
    }

    /** A code that was stolen from the victim's browser, presented by others or in another session. */
    private void injection() {
        OpenIdClient other = openId.other();
        judge("a code of another client", other.redeem(code()));
        judge("a code of another client, with its verifier", redeem(other, "code_verifier", app.verifier()));
        judge(
                "a code of a confidential client, at a public one",
                openId.nativeApp().redeem(code()));
        for (String uri : List.of("", OpenIdScene.APP_URI + '/', "https://evil.example/callback")) {
            judge("a code with the redirect URI '" + uri + "'", redeem(app, "redirect_uri", uri));
        }
        judge("a code without a redirect URI", redeem(app, "redirect_uri", null));
        // The attacker's code reaches the victim's client, which holds the verifier of another request.
        OpenIdClient otherSession = app.withVerifier(other.verifier());
        judge("a code injected into another session", otherSession.redeem(app.code(openId.attacker())));
        String code = code();
        for (String forged :
                List.of(code + 'A', code.substring(1), flipped(code, 0), flipped(code, code.length() - 1), "", "0")) {
            judge("a changed code", app.redeem(forged));
        }
        JsonObject tokens = tokens();
        judge("a refresh token as a code", app.redeem(tokens.string("refresh_token", "")));
        judge("a code as a refresh token", app.refresh(code()));
        judge("a refresh token of another client", other.refresh(tokens.string("refresh_token", "")));
    }

    /** Redeems a code of the app with another parameter, or without it. */
    private TestResponse redeem(OpenIdClient client, String name, @Nullable String value) {
        Map<String, String> parameters = client.redeeming(code());
        if (value == null) {
            parameters.remove(name);
        } else {
            parameters.put(name, value);
        }
        return client.token(parameters);
    }

    private static String flipped(String text, int at) {
        char other = text.charAt(at) == 'A' ? 'B' : 'A';
        return text.substring(0, at) + other + text.substring(at + 1);
    }

    private void replays() {
        String code = code();
        JsonObject tokens = app.redeem(code).jsonIfAny();
        judge("a code, redeemed twice", app.redeem(code));
        useless(tokens, "of a replayed code");
        JsonObject first = tokens();
        JsonObject second = app.refresh(first.string("refresh_token", "")).jsonIfAny();
        judge("a refresh token, used twice", app.refresh(first.string("refresh_token", "")));
        useless(second, "after a replayed refresh token");
        JsonObject revoked = tokens();
        app.authenticated().postForm("/oauth2/revoke", Map.of("token", revoked.string("access_token", "")));
        useless(revoked, "after revocation");
        JsonObject kept = tokens();
        OpenIdClient other = openId.other();
        other.authenticated().postForm("/oauth2/revoke", Map.of("token", kept.string("refresh_token", "")));
        check(
                "a revocation by another client",
                app.userinfo(kept.string("access_token", "")).ok(),
                "the token is revoked");
    }

    /** At most one of many concurrent requests may succeed, and the others are replays, which revoke what it got. */
    private void races() {
        race("a code", app.redeeming(code()));
        String token = tokens().string("refresh_token", "");
        race("a refresh token", OpenIdClient.refreshing(token));
    }

    private void race(String what, Map<String, String> parameters) {
        String secret = String.valueOf(app.secret());
        String[] headers = Transport.and(FORM, "Authorization", OpenIdClient.basic(app.id(), secret));
        String form = OpenIdClient.form(app.identified(parameters));
        List<TestResponse> responses = target.atOnce(RUNNERS, OpenIdClient.TOKEN, form, headers);
        oneWinner(what, responses)
                .forEach(winner -> useless(winner.jsonIfAny(), "of " + what + " that was sent many times"));
    }

    /** Ways around the client's secret. */
    private void credentials() {
        OpenIdClient other = openId.other();
        String secret = String.valueOf(app.secret());
        String otherSecret = String.valueOf(other.secret());
        Map<String, String> valid = OpenIdClient.refreshing(tokens().string("refresh_token", ""));
        Web web = app.web();
        Map<String, String> named = with(valid, "client_id", app.id());
        unauthenticated("no credentials", web, valid);
        unauthenticated("only the client's id", web, named);
        unauthenticated("an empty secret", web, with(named, "client_secret", ""));
        unauthenticated("another client's secret", web, with(named, "client_secret", otherSecret));
        unauthenticated("a secret cut short", basic(secret.substring(1)), valid);
        unauthenticated("another client's secret, in the header", basic(otherSecret), valid);
        unauthenticated("another client's id in the form", other.authenticated(), named);
        unauthenticated("two methods", app.authenticated(), with(named, "client_secret", secret));
        String[] one = Transport.and(FORM, "Authorization", OpenIdClient.basic(other.id(), otherSecret));
        String[] two = Transport.and(one, "Authorization", OpenIdClient.basic(app.id(), secret));
        judge("two headers", target.post(OpenIdClient.TOKEN, OpenIdClient.form(valid), two));
        TestResponse inQuery =
                app.web().postForm(OpenIdClient.TOKEN + "?client_id=" + app.id() + "&client_secret=" + secret, valid);
        judge("the secret in the query", inQuery);
        judge("a token request by GET", app.web().get(OpenIdClient.TOKEN + '?' + OpenIdClient.form(named)));
        for (String grant :
                List.of("password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer")) {
            Map<String, String> request = with(valid, "grant_type", grant);
            request.put("username", victim.userId());
            request.put("password", "password");
            judge("the grant type " + grant, app.token(request));
        }
        check("refused credentials that use up the token", app.token(valid).ok(), "the honest client is refused");
    }

    private Web basic(String secret) {
        return app.web().with("Authorization", OpenIdClient.basic(app.id(), secret));
    }

    private void unauthenticated(String attempt, Web caller, Map<String, String> parameters) {
        judge(attempt, caller.postForm(OpenIdClient.TOKEN, parameters));
    }

    private static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return more;
    }

    /** What clients got ends with the user's access. */
    private void ended() {
        GrantedAccess access = attacker.login();
        JsonObject tokens = app.tokens(openId.browser(access));
        String code = app.code(openId.browser(access));
        target.post("/auth/logout?everywhere=true", null, access.headers());
        useless(tokens, "after signing out everywhere");
        judge("a code after signing out everywhere", app.redeem(code));
        attacker.login();
    }

    private void useless(JsonObject tokens, String when) {
        judge("a refresh token " + when, app.refresh(tokens.string("refresh_token", "")));
        judge("an access token " + when, app.userinfo(tokens.string("access_token", "")));
    }
}
