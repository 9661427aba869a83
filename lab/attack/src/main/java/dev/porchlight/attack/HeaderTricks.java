// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Headers that misrepresent a request or the page that sends it. */
final class HeaderTricks extends Attack {
    private static final String EVIL = "evil.example";
    private static final List<String> ADMIN = List.of("/admin/request", "/console/api/ceremonies");

    @Override
    void attempt() {
        crossSite();
        claimedSites();
        rebinding();
        sharing();
        hosts();
        internalHeaders();
        methods();
        cookies();
        TestResponse injected = target.get(
                Person.LOGIN_OPTIONS + "?userId=a%0d%0aX-Injected:%20yes", "X-Correlation-ID", "a b<script>");
        check("a header in the query", injected.header("X-Injected") == null, "is in the response");
    }

    /** Requests that a page of another origin could trigger. */
    private void crossSite() {
        for (String site : List.of("cross-site", "same-site")) {
            for (String origin : List.of("https://" + EVIL, "null", scene.origin() + '.' + EVIL)) {
                judge(
                        "a valid login sent by a page of " + origin + ", " + site,
                        target.post(
                                Person.LOGIN_FINISH + attacker.query(),
                                attacker.assertion(),
                                "Origin",
                                origin,
                                "Sec-Fetch-Site",
                                site));
            }
            judge("signing out from another page, " + site, signOut("Sec-Fetch-Site", site));
        }
    }

    /** Requests of another origin's page with false or unexpected fetch metadata. */
    private void claimedSites() {
        for (String site : List.of("same-origin", "none")) {
            for (String origin : List.of("https://" + EVIL, "null")) {
                judge(
                        "signing out from a page of " + origin + " that claims " + site,
                        signOut("Sec-Fetch-Site", site, "Origin", origin));
            }
        }
        for (String site : List.of("same-origin, cross-site", "Same-Origin", "unknown")) {
            judge("signing out with Sec-Fetch-Site: " + site, signOut("Sec-Fetch-Site", site));
        }
    }

    private TestResponse signOut(String... headers) {
        return target.post("/auth/logout", null, and(attacker.access().headers(), headers));
    }

    /** DNS rebinding: a page whose host name resolves to this machine has the service's origin in the browser's eyes. */
    private void rebinding() {
        if (!scene.origin().matches("http://localhost(:\\d+)?")) {
            skip("a host name that resolves to the service", "the service is not in localhost mode");
            return;
        }
        String[] access = attacker.access().headers();
        String host = "Host: " + EVIL + "\r\nOrigin: http://" + EVIL + "\r\nSec-Fetch-Site: same-origin\r\n";
        String end = access[0] + ": " + access[1] + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        for (String request : List.of("POST /auth/logout", "GET " + Person.SESSION, "GET " + Person.LOGIN_OPTIONS)) {
            TestResponse response =
                    target.raw(request + " HTTP/1.1\r\n" + host + end).last();
            judge("a host name that resolves to the service: " + request, response);
        }
    }

    /** Origins that may read responses. */
    private void sharing() {
        String[] access = attacker.access().headers();
        for (String origin : List.of("https://" + EVIL, "null", scene.origin() + '.' + EVIL)) {
            TestResponse response = target.get(Person.SESSION, and(access, "Origin", origin));
            check("reading a response from a page of " + origin, !shares(response, origin), "is allowed");
            TestResponse preflight = target.send(
                    "OPTIONS", Person.LOGIN_FINISH, null, "Origin", origin, "Access-Control-Request-Method", "POST");
            check("a preflight request from a page of " + origin, !shares(preflight, origin), "is granted");
        }
    }

    private static boolean shares(TestResponse response, String origin) {
        String allowed = response.header("Access-Control-Allow-Origin");
        return origin.equals(allowed) || "*".equals(allowed);
    }

    /** A foreign host must not be reflected in a response, where caches and links would pick it up. */
    private void hosts() {
        for (String path : List.of("/", "/.well-known/passkey-endpoints", Person.LOGIN_OPTIONS)) {
            for (String header : List.of("X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-Host")) {
                String value = header.equals("Forwarded") ? "host=" + EVIL : EVIL;
                TestResponse response = target.get(path, header, value);
                check(header + " at " + path, !reflects(response), "is reflected in the response");
            }
            TestResponse response = target.raw(
                            "GET " + path + " HTTP/1.1\r\nHost: " + EVIL + "\r\nConnection: close\r\n\r\n")
                    .last();
            check("another host at " + path, !reflects(response), "is reflected in the response");
        }
    }

    private static boolean reflects(TestResponse response) {
        return response.body().contains(EVIL) || response.headers().toString().contains(EVIL);
    }

    /** Headers that claim an internal client or another path. */
    private void internalHeaders() {
        for (String path : ADMIN) {
            if (target.get(path).ok()) {
                skip("internal headers at " + path, "it needs no token here");
                continue;
            }
            for (String header :
                    List.of("X-Forwarded-For", "X-Real-IP", "True-Client-IP", "Client-IP", "X-Client-IP")) {
                judge(header + " at " + path, target.get(path, header, "127.0.0.1"));
            }
            judge("Forwarded at " + path, target.get(path, "Forwarded", "for=127.0.0.1;host=localhost"));
            for (String header : List.of("X-Original-URL", "X-Rewrite-URL")) {
                TestResponse response = target.get("/auth/session", header, path);
                judge(header + " to " + path, response);
            }
        }
    }

    /** Method overrides. */
    private void methods() {
        String id = attacker.passkeys().stream().findFirst().orElse("none");
        String path = Person.CREDENTIALS + '/' + id;
        for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            target.post(
                    path + "?force=true&_method=DELETE",
                    "{}",
                    and(attacker.access().headers(), header, "DELETE"));
            check(header, attacker.passkeys().contains(id), "removed a passkey");
        }
    }

    private void cookies() {
        GrantedAccess access = attacker.login();
        String cookie = access.cookie();
        if (cookie == null) {
            skip("cookies", "logins return only tokens");
            return;
        }
        String name = cookie.substring(0, cookie.indexOf('='));
        String value = cookie.substring(name.length());
        String bare = name.replaceFirst("^__(Host|Secure)-", "");
        for (String other : List.of("__Secure-" + bare, "__host-" + bare, "__HOST-" + bare, "x" + bare, bare + "x")) {
            judge("the session under the name " + other, session("Cookie", other + value));
        }
        String prefixed = name.equals(bare) ? "__Host-" + bare : bare;
        judge("the session under the name " + prefixed, session("Cookie", prefixed + value));
        judge("the session with an extra letter", session("Cookie", cookie + 'A'));
        judge("an invalid token beside a valid session", session("Cookie", cookie, "Authorization", "Bearer wrong"));
        String via = JsonObject.parse(session("Cookie", cookie).body()).string("userId", "");
        check("the session itself", attacker.userId().equals(via), "belongs to " + via);
    }

    private TestResponse session(String... headers) {
        return target.get(Person.SESSION, headers);
    }

    private static String[] and(String[] headers, String... more) {
        return Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new);
    }
}
