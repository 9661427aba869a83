// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.List;
import java.util.Map;

/** Authorization requests that try to send a code or an error elsewhere, or break out of a header or parameter. */
final class OpenIdRedirects extends OpenIdAttack {
    private static final List<String> FOREIGN = List.of(
            "https://evil.example/callback",
            "https://app.example.evil.example/callback",
            "https://app.example@evil.example/callback",
            "https://app.example%40evil.example/callback",
            "https://evil.example\\@app.example/callback",
            "https://evil.example#@app.example/callback",
            "https://user@app.example/callback",
            "https://app-example/callback",
            "https://\u0430pp.example/callback",
            "https://xn--pp-7kc.example/callback",
            "https://app.example./callback",
            "https://APP.EXAMPLE/callback",
            "HTTPS://app.example/callback",
            "https://app.example/Callback",
            "https://app.example:443/callback",
            "https://app.example:8443/callback",
            "https://app.example/callback/",
            "https://app.example/callback?",
            "https://app.example/callback?next=https://evil.example",
            "https://app.example/callback#",
            "https://app.example/callback#access_token=x",
            "https://app.example/%63allback",
            "https://app.example/callback%2f..%2fevil",
            "https://app.example/callback/../evil",
            "https://app.example/callback/%2e%2e/evil",
            "https://app.example/callback/..;/evil",
            "https://app.example//callback",
            "https://app.example/callback%00",
            "https://app.example/callback%0d%0aX-Injected:%20yes",
            "https://app.example/callback ",
            " https://app.example/callback",
            "http://app.example/callback",
            "//app.example/callback",
            "/callback",
            "*",
            "https://*.example/callback",
            "javascript:alert(1)//app.example/callback",
            "data:text/html,app.example/callback",
            "");

    private static final List<String> NOT_LOOPBACK = List.of(
            "http://localhost:50000/callback",
            "http://127.0.0.2:50000/callback",
            "http://127.1:50000/callback",
            "http://2130706433:50000/callback",
            "http://0.0.0.0:50000/callback",
            "http://[::1]:50000/callback",
            "http://127.0.0.1.evil.example:50000/callback",
            "http://127.0.0.1:50000@evil.example/callback",
            "http://127.0.0.1:70000/callback",
            "http://127.0.0.1:-1/callback",
            "http://127.0.0.1:/callback",
            "http://127.0.0.1:50000/callback/../evil",
            "http://127.0.0.1:50000/other",
            "http://127.0.0.1:50000/callback#x",
            "https://127.0.0.1:50000/callback");

    @Override
    void attemptOpenId() {
        app.begin(app.request());
        for (String uri : FOREIGN) {
            unregistered(app, uri);
        }
        OpenIdClient nativeApp = openId.nativeApp();
        nativeApp.begin(nativeApp.request("redirect_uri", "http://127.0.0.1:50000/callback"));
        NOT_LOOPBACK.forEach(uri -> unregistered(nativeApp, uri));
        elsewhere();
        afterSignOut();
        repeated();
        injected();
        oversized();
    }

    /** Neither a code nor an error may go to a URI that is not the client's. */
    private void unregistered(OpenIdClient client, String uri) {
        noRedirect("the redirect URI '" + uri + "'", client.authorize(client.request("redirect_uri", uri)));
        Map<String, String> invalid = client.request("redirect_uri", uri);
        invalid.put("response_type", "token");
        noRedirect("an error to the redirect URI '" + uri + "'", client.authorize(invalid));
    }

    /** Other ways to name a redirect URI. */
    private void elsewhere() {
        String evil = FOREIGN.get(0);
        noRedirect("an unknown client", app.authorize(app.request("client_id", "no-such-client")));
        noRedirect("no client", app.authorize(app.request("client_id", "")));
        String query = OpenIdClient.form(app.request());
        for (String extra : List.of("redirect_uri=", "redirect_uri[]=", "redirect_uri%00=", "Redirect_uri=")) {
            TestResponse response =
                    app.web().get(OpenIdClient.AUTHORIZE + '?' + query + '&' + extra + OpenIdClient.encode(evil));
            check("a second URI as " + extra, !leadsTo(response, "evil.example"), "leads to " + evil);
        }
        TestResponse pushed = app.authenticated().postForm("/oauth2/par", app.request("redirect_uri", evil));
        judge("a pushed request with another redirect URI", pushed);
        Map<String, String> byUri = app.request("request_uri", "https://evil.example/request.jwt");
        notBegun("a request at a URI", app.authorize(byUri));
        Jwt unsigned = new Jwt(
                "{\"alg\":\"none\"}", "{\"client_id\":\"" + app.id() + "\",\"redirect_uri\":\"" + evil + "\"}", "");
        notBegun("an unsigned request object", app.authorize(app.request("request", unsigned.toString())));
        for (String mode : List.of("fragment", "web_message", "jwt")) {
            notBegun("response_mode " + mode, app.authorize(app.request("response_mode", mode)));
        }
        for (String type : List.of("token", "id_token", "code token", "code id_token", "none", "")) {
            notBegun("response_type '" + type + "'", app.authorize(app.request("response_type", type)));
        }
        noRedirect(
                "a confidential client at a loopback address",
                app.authorize(app.request("redirect_uri", OpenIdScene.LOOPBACK_URI)));
    }

    private void afterSignOut() {
        for (String uri : List.of(
                FOREIGN.get(0),
                OpenIdScene.LOGOUT_URI + "/../evil",
                OpenIdScene.LOGOUT_URI + "@evil.example",
                OpenIdScene.LOGOUT_URI + '#',
                OpenIdScene.APP_URI)) {
            String query = "?client_id=" + app.id() + "&post_logout_redirect_uri=" + OpenIdClient.encode(uri);
            noRedirect("a sign-out that leads to " + uri, app.web().get("/oauth2/logout" + query));
        }
        String query = "?post_logout_redirect_uri=" + OpenIdClient.encode(OpenIdScene.LOGOUT_URI);
        TestResponse unnamed = app.web().get("/oauth2/logout" + query);
        check("a sign-out that leads to another client's URI", !leadsTo(unnamed, "app.example"), "leads there");
    }

    private void repeated() {
        String query = OpenIdClient.form(app.request());
        app.request().forEach((name, value) -> {
            String twice = query + '&' + name + '=' + OpenIdClient.encode(value);
            notBegun(name + " twice", app.web().get(OpenIdClient.AUTHORIZE + '?' + twice));
        });
    }

    /** Line breaks in values that return in the Location header. */
    private void injected() {
        for (String name : List.of("state", "nonce", "client_id", "redirect_uri", "login_hint", "scope")) {
            for (String breaks : List.of("%0d%0a", "%0a", "%E5%98%8A%E5%98%8D", "%c0%8a")) {
                String injection = name + "=a" + breaks + "X-Injected:%20yes";
                Map<String, String> rest = app.request();
                rest.remove(name);
                rest.put("response_type", "token");
                TestResponse response =
                        app.web().get(OpenIdClient.AUTHORIZE + '?' + OpenIdClient.form(rest) + '&' + injection);
                check(
                        "a line break in " + name,
                        response.header("X-Injected") == null && response.status() < 500,
                        "status " + response.status() + ", or a header was injected");
            }
        }
        String markup = "\"><script>alert(1)</script>";
        TestResponse page = app.authorize(app.request("client_id", markup));
        check("markup in client_id", !page.body().contains(markup), "is in the page");
    }

    private void oversized() {
        for (String name :
                List.of("state", "nonce", "scope", "login_hint", "client_id", "redirect_uri", "acr_values")) {
            String value = (name.equals("scope") ? "openid " : "") + "a".repeat(20_000);
            notBegun("20,000 characters in " + name, app.authorize(app.request(name, value)));
            TestResponse posted = app.web().postForm(OpenIdClient.AUTHORIZE, app.request(name, value));
            notBegun("20,000 characters in " + name + ", in a form", posted);
        }
        String many = OpenIdClient.form(app.request()) + "&a=1".repeat(2_000);
        notBegun(
                "2,000 parameters",
                app.web()
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .send("POST", OpenIdClient.AUTHORIZE, many));
    }

    private void noRedirect(String attempt, TestResponse response) {
        String location = response.header("Location");
        check(
                attempt,
                location == null && response.status() < 500 && !response.ok(),
                "status " + response.status() + (location == null ? "" : ", leads to " + location));
    }

    /** The request must be refused; an error may go to the client's own URI. */
    private void notBegun(String attempt, TestResponse response) {
        String location = response.header("Location");
        boolean error = location != null
                && location.startsWith(OpenIdScene.APP_URI + '?')
                && OpenIdScene.parameter(response, "error") != null;
        check(
                attempt,
                error || location == null && !response.ok() && response.status() < 500,
                "status " + response.status());
    }

    private static boolean leadsTo(TestResponse response, String host) {
        String location = response.header("Location");
        return location != null && location.contains(host) && !location.startsWith("/");
    }
}
