// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Other sites that use the victim's browser: forged requests, frames, and pages that read responses. */
final class OpenIdCrossSite extends OpenIdAttack {
    private static final String EVIL = "https://evil.example";
    private static final String CONSENT = "/oauth2/consent";

    @Override
    void attemptOpenId() {
        authorize();
        proceed();
        consent();
        signOut();
        reading();
    }

    /** A link or form of another site begins a sign-in, but may not complete it. */
    private void authorize() {
        Web browser = openId.victim().with("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate");
        noCode("a link of another site", app.authorize(browser, app.request()));
        noCode("a form of another site", browser.postForm(OpenIdClient.AUTHORIZE, app.request()));
        Map<String, String> silent = app.request("prompt", "none");
        noCode("a hidden frame of another site", app.authorize(browser.with("Sec-Fetch-Dest", "iframe"), silent));
        noCode("prompt=none without a session", OpenIdClient.proceed(app.web(), app.begin(silent)));
        for (Map<String, String> fresh : List.of(app.request("prompt", "login"), app.request("max_age", "0"))) {
            String prepared = app.begin(fresh);
            Web stolen = openId.browser(attacker.login()); // younger than the request, but not for it
            noCode("a stolen session for a request that demands the passkey", OpenIdClient.proceed(stolen, prepared));
        }
        silent.put("id_token_hint", tokens().string("id_token", ""));
        noCode("another user than the one of the hint", OpenIdClient.proceed(openId.attacker(), app.begin(silent)));
    }

    private void proceed() {
        String sealed = app.begin(app.request());
        for (String site : List.of("cross-site", "same-site")) {
            for (@Nullable String origin : new @Nullable String[] {null, EVIL, "null"}) {
                Web page = openId.victim().with("Sec-Fetch-Site", site);
                if (origin != null) {
                    page = page.with("Origin", origin);
                }
                noCode(
                        "a sign-in completed by " + (origin == null ? "a link" : "a page of " + origin) + ", " + site,
                        page.get(OpenIdClient.CONTINUE + sealed));
            }
        }
        relatedOrigins(sealed);
        for (String forged : List.of("", "x", sealed.substring(1), sealed + 'A', "e30")) {
            noCode("a forged request", OpenIdClient.proceed(openId.victim(), forged));
        }
        TestResponse pushed = app.authenticated().postForm("/oauth2/par", app.request());
        String uri = pushed.jsonIfAny().string("request_uri", "");
        noCode(
                "a pushed request in place of one that the browser brings",
                OpenIdClient.proceed(openId.victim(), uri.substring(uri.lastIndexOf(':') + 1)));
        TestResponse stolen =
                openId.other().authorize(Map.of("client_id", openId.other().id(), "request_uri", uri));
        check("a pushed request of another client", OpenIdClient.findSealed(stolen) == null, "the sign-in begins");
        Map<String, String> once = Map.of("client_id", app.id(), "request_uri", uri);
        String loaded = app.begin(once);
        OpenIdClient.proceed(openId.victim(), app.begin(once));
        noCode("a pushed request, used twice", OpenIdClient.proceed(openId.victim(), loaded));
        check(
                "a pushed request after its code",
                OpenIdClient.findSealed(app.authorize(once)) == null,
                "the sign-in begins again");
        noCode("a sign-in without a session", OpenIdClient.proceed(app.web(), sealed));
    }

    /** Pages of the relying party's other origins may use its passkeys, but not complete a sign-in without a click. */
    private void relatedOrigins(String sealed) {
        Object listed = target.get("/.well-known/webauthn").jsonIfAny().get("origins");
        List<String> related = listed instanceof List<?> origins
                ? origins.stream()
                        .map(String::valueOf)
                        .filter(origin -> !origin.equals(scene.origin()) && !origin.equals(openId.issuer()))
                        .toList()
                : List.of();
        if (related.isEmpty()) {
            skip("pages of the relying party's other origins", "RP_RELATED_ORIGINS is not set");
        }
        for (String origin : related) {
            for (String site : List.of("cross-site", "same-site", "same-origin")) {
                Web page = openId.victim().with("Sec-Fetch-Site", site, "Origin", origin);
                noCode("a sign-in completed by a page of " + origin, page.get(OpenIdClient.CONTINUE + sealed));
                judge("the admin API by a page of " + origin, page.get("/admin/users"));
            }
        }
    }

    private void consent() {
        OpenIdClient app = openId.thirdParty();
        String sealed = app.begin(app.request());
        TestResponse asked = OpenIdClient.proceed(openId.victim(), sealed);
        noCode("a third party's sign-in without consent", asked);
        framed("the consent page", asked);
        noCode(
                "silent sign-in to a third party",
                OpenIdClient.proceed(openId.victim(), app.begin(app.request("prompt", "none"))));
        Map<String, String> agreed = Map.of("request", sealed, "decision", "agree");
        for (String site : List.of("cross-site", "same-site")) {
            Web page = openId.victim().with("Sec-Fetch-Site", site, "Origin", EVIL);
            noCode("consent given by another page, " + site, page.postForm(CONSENT, agreed));
        }
        noCode(
                "consent by a page of no origin",
                openId.victim().with("Origin", "null").postForm(CONSENT, agreed));
        String query = OpenIdClient.form(agreed);
        noCode("consent by a link", openId.victim().get(CONSENT + '?' + query));
        noCode("consent in the query", openId.victim().get(OpenIdClient.CONTINUE + sealed + "&decision=agree"));
        noCode("consent without a session", app.web().postForm(CONSENT, agreed));
        for (String decision : List.of("deny", "", "AGREE")) {
            Map<String, String> form = Map.of("request", sealed, "decision", decision);
            noCode("consent '" + decision + "'", openId.victim().postForm(CONSENT, form));
        }
    }

    /** Another site may not sign the user out, and a forged hint is no hint. */
    private void signOut() {
        GrantedAccess access = attacker.login();
        Jwt hint = Jwt.parse(app.tokens(openId.browser(access)).string("id_token", ""));
        Jwt unsigned = hint.withHeader("alg", "none").withSignature(new byte[0]);
        for (String query : List.of(
                "",
                "?client_id=" + app.id(),
                "?id_token_hint=x",
                "?id_token_hint=" + unsigned,
                "?id_token_hint=" + hint.withClaim("aud", openId.other().id()),
                "?client_id=" + openId.other().id() + "&id_token_hint=" + hint)) {
            openId.browser(access).get("/oauth2/logout" + query);
            boolean signedIn = openId.browser(access).get(Person.SESSION).ok();
            check("a sign-out by a link without a valid ID token", signedIn, "the session ended");
        }
    }

    private void reading() {
        String access = tokens().string("access_token", "");
        List<TestResponse> responses = List.of(
                app.web().bearer(access).with("Origin", EVIL).get(OpenIdClient.USERINFO),
                app.post(app.authenticated().with("Origin", EVIL), OpenIdClient.TOKEN, OpenIdClient.refreshing("x")),
                openId.nativeApp()
                        .post(
                                openId.nativeApp().authenticated().with("Origin", EVIL),
                                OpenIdClient.TOKEN,
                                OpenIdClient.refreshing("x")),
                target.send(
                        "OPTIONS", OpenIdClient.TOKEN, null, "Origin", EVIL, "Access-Control-Request-Method", "POST"));
        for (TestResponse response : responses) {
            String allowed = String.valueOf(response.header("Access-Control-Allow-Origin"));
            check("a page of another site that reads responses", allowed.equals("null"), "allowed: " + allowed);
        }
        framed("an error page", app.authorize(app.request("client_id", "no-such-client")));
    }

    private void framed(String what, TestResponse response) {
        String policy =
                String.valueOf(response.header("Content-Security-Policy")).toLowerCase(Locale.ROOT);
        check(what + " in a frame", policy.contains("frame-ancestors 'none'"), "can be framed");
    }

    private void noCode(String attempt, TestResponse response) {
        boolean code = OpenIdScene.parameter(response, "code") != null
                || response.body().contains("code=");
        check(attempt, !code && response.status() < 500, "status " + response.status() + (code ? " with a code" : ""));
    }
}
