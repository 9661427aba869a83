// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Other sites that use the victim's browser: forged requests, frames, and pages that read responses. */
final class OpenIdCrossSite implements OpenId.Part {
    private static final String EVIL = "https://evil.example";
    private static final String CONSENT = "/oauth2/consent";

    @Override
    public void run(OpenIdScene openId, Score score) {
        authorize(openId, score);
        proceed(openId, score);
        consent(openId, score);
        signOut(openId, score);
        reading(openId, score);
    }

    /** A link or form of another site begins a sign-in, but may not complete it. */
    private static void authorize(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        String[] browser =
                OpenIdClient.and(openId.victim(), "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate");
        noCode(score, "a link of another site", app.authorize(app.request(), browser));
        noCode(score, "a form of another site", app.post(OpenIdClient.AUTHORIZE, app.request(), browser));
        Map<String, String> silent = app.request("prompt", "none");
        noCode(
                score,
                "a hidden frame of another site",
                app.authorize(silent, OpenIdClient.and(browser, "Sec-Fetch-Dest", "iframe")));
        noCode(score, "prompt=none without a session", app.proceed(app.begin(silent)));
        silent.put("id_token_hint", app.tokens(openId.victim()).string("id_token", ""));
        noCode(score, "another user than the one of the hint", app.proceed(app.begin(silent), openId.attacker()));
    }

    private static void proceed(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        String sealed = app.begin(app.request());
        for (String site : List.of("cross-site", "same-site")) {
            for (@Nullable String origin : new @Nullable String[] {null, EVIL, "null"}) {
                String[] headers = OpenIdClient.and(openId.victim(), "Sec-Fetch-Site", site);
                if (origin != null) {
                    headers = OpenIdClient.and(headers, "Origin", origin);
                }
                noCode(
                        score,
                        "a sign-in completed by " + (origin == null ? "a link" : "a page of " + origin) + ", " + site,
                        openId.target().get(OpenIdClient.CONTINUE + sealed, headers));
            }
        }
        for (String forged : List.of("", "x", sealed.substring(1), sealed + 'A', "e30")) {
            noCode(score, "a forged request", app.proceed(forged, openId.victim()));
        }
        Response pushed = app.post("/oauth2/par", app.request(), app.authentication());
        String uri = pushed.json().string("request_uri", "");
        noCode(
                score,
                "a pushed request in place of one that the browser brings",
                app.proceed(uri.substring(uri.lastIndexOf(':') + 1), openId.victim()));
        Response stolen =
                openId.other().authorize(Map.of("client_id", openId.other().id(), "request_uri", uri));
        score.check("a pushed request of another client", OpenIdClient.sealed(stolen) == null, "the sign-in begins");
        Map<String, String> once = Map.of("client_id", app.id(), "request_uri", uri);
        app.authorize(once);
        score.check(
                "a pushed request, used twice",
                OpenIdClient.sealed(app.authorize(once)) == null,
                "the sign-in begins again");
        noCode(score, "a sign-in without a session", app.proceed(sealed));
    }

    private static void consent(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.thirdParty();
        String sealed = app.begin(app.request());
        Response asked = app.proceed(sealed, openId.victim());
        noCode(score, "a third party's sign-in without consent", asked);
        framed(score, "the consent page", asked);
        noCode(
                score,
                "silent sign-in to a third party",
                app.proceed(app.begin(app.request("prompt", "none")), openId.victim()));
        Map<String, String> agreed = Map.of("request", sealed, "decision", "agree");
        for (String site : List.of("cross-site", "same-site")) {
            String[] headers = OpenIdClient.and(openId.victim(), "Sec-Fetch-Site", site, "Origin", EVIL);
            noCode(score, "consent given by another page, " + site, app.post(CONSENT, agreed, headers));
        }
        noCode(
                score,
                "consent by a page of no origin",
                app.post(CONSENT, agreed, OpenIdClient.and(openId.victim(), "Origin", "null")));
        String query = OpenIdClient.form(agreed);
        noCode(score, "consent by a link", openId.target().get(CONSENT + '?' + query, openId.victim()));
        noCode(
                score,
                "consent in the query",
                openId.target().get(OpenIdClient.CONTINUE + sealed + "&decision=agree", openId.victim()));
        noCode(score, "consent without a session", app.post(CONSENT, agreed));
        for (String decision : List.of("deny", "", "AGREE")) {
            Map<String, String> form = Map.of("request", sealed, "decision", decision);
            noCode(score, "consent '" + decision + "'", app.post(CONSENT, form, openId.victim()));
        }
    }

    /** Another site may not sign the user out, and a forged hint is no hint. */
    private static void signOut(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        Person person = openId.scene().attacker();
        GrantedAccess access = person.login();
        Jwt hint = Jwt.parse(app.tokens(OpenIdScene.browser(access)).string("id_token", ""));
        Jwt unsigned = hint.withHeader("alg", "none").withSignature(new byte[0]);
        for (String query : List.of(
                "",
                "?client_id=" + app.id(),
                "?id_token_hint=x",
                "?id_token_hint=" + unsigned,
                "?id_token_hint=" + hint.withClaim("aud", openId.other().id()),
                "?client_id=" + openId.other().id() + "&id_token_hint=" + hint)) {
            openId.target().get("/oauth2/logout" + query, OpenIdScene.browser(access));
            boolean signedIn = openId.target()
                    .get(GrantedAccess.SESSION, OpenIdScene.browser(access))
                    .success();
            score.check("a sign-out by a link without a valid ID token", signedIn, "the session ended");
        }
    }

    private static void reading(OpenIdScene openId, Score score) {
        OpenIdClient app = openId.app();
        String access = app.tokens(openId.victim()).string("access_token", "");
        List<Response> responses = List.of(
                openId.target()
                        .get(OpenIdClient.USERINFO, OpenIdClient.and(GrantedAccess.bearer(access), "Origin", EVIL)),
                app.token(OpenIdClient.refreshing("x"), "Origin", EVIL),
                openId.nativeApp().token(OpenIdClient.refreshing("x"), "Origin", EVIL),
                openId.target()
                        .send(
                                "OPTIONS",
                                OpenIdClient.TOKEN,
                                null,
                                "Origin",
                                EVIL,
                                "Access-Control-Request-Method",
                                "POST"));
        for (Response response : responses) {
            String allowed = String.valueOf(response.header("Access-Control-Allow-Origin"));
            score.check("a page of another site that reads responses", allowed.equals("null"), "allowed: " + allowed);
        }
        framed(score, "an error page", app.authorize(app.request("client_id", "no-such-client")));
    }

    private static void framed(Score score, String what, Response response) {
        String policy =
                String.valueOf(response.header("Content-Security-Policy")).toLowerCase(Locale.ROOT);
        score.check(what + " in a frame", policy.contains("frame-ancestors 'none'"), "can be framed");
    }

    private static void noCode(Score score, String attempt, Response response) {
        boolean code = OpenIdClient.parameter(response, "code") != null
                || response.body().contains("code=");
        score.check(
                attempt,
                !code && response.status() < 500,
                "status " + response.status() + (code ? " with a code" : ""));
    }
}
