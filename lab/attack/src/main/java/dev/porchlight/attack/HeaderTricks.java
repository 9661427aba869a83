// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Headers that misrepresent a request or the page that sends it. */
final class HeaderTricks implements Attack {
    private static final String EVIL = "evil.example";
    private static final List<String> ADMIN = List.of("/admin/request", "/console/api/ceremonies");

    @Override
    public void run(Scene scene, Score score) {
        crossSite(scene, score);
        claimedSites(scene, score);
        rebinding(scene, score);
        sharing(scene, score);
        hosts(scene, score);
        internalHeaders(scene, score);
        methods(scene, score);
        cookies(scene, score);
        TestResponse injected = scene.target()
                .get(Person.LOGIN_OPTIONS + "?userId=a%0d%0aX-Injected:%20yes", "X-Correlation-ID", "a b<script>");
        score.check("a header in the query", injected.header("X-Injected") == null, "is in the response");
    }

    /** Requests that a page of another origin could trigger. */
    private static void crossSite(Scene scene, Score score) {
        for (String site : List.of("cross-site", "same-site")) {
            for (String origin : List.of("https://" + EVIL, "null", scene.origin() + '.' + EVIL)) {
                score.judge(
                        "a valid login sent by a page of " + origin + ", " + site,
                        scene.target()
                                .post(
                                        Person.LOGIN_FINISH + scene.attacker().query(),
                                        scene.attacker().assertion(),
                                        "Origin",
                                        origin,
                                        "Sec-Fetch-Site",
                                        site));
            }
            score.judge("signing out from another page, " + site, signOut(scene, "Sec-Fetch-Site", site));
        }
    }

    /** Requests of another origin's page with false or unexpected fetch metadata. */
    private static void claimedSites(Scene scene, Score score) {
        for (String site : List.of("same-origin", "none")) {
            for (String origin : List.of("https://" + EVIL, "null")) {
                score.judge(
                        "signing out from a page of " + origin + " that claims " + site,
                        signOut(scene, "Sec-Fetch-Site", site, "Origin", origin));
            }
        }
        for (String site : List.of("same-origin, cross-site", "Same-Origin", "unknown")) {
            score.judge("signing out with Sec-Fetch-Site: " + site, signOut(scene, "Sec-Fetch-Site", site));
        }
    }

    private static TestResponse signOut(Scene scene, String... headers) {
        return scene.target()
                .post("/auth/logout", null, and(scene.attacker().access().headers(), headers));
    }

    /** DNS rebinding: a page whose host name resolves to this machine has the service's origin in the browser's eyes. */
    private static void rebinding(Scene scene, Score score) {
        if (!scene.origin().matches("http://localhost(:\\d+)?")) {
            score.skip("a host name that resolves to the service", "the service is not in localhost mode");
            return;
        }
        String[] access = scene.attacker().access().headers();
        String host = "Host: " + EVIL + "\r\nOrigin: http://" + EVIL + "\r\nSec-Fetch-Site: same-origin\r\n";
        String end = access[0] + ": " + access[1] + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        for (String request : List.of("POST /auth/logout", "GET " + Person.SESSION, "GET " + Person.LOGIN_OPTIONS)) {
            TestResponse response = scene.target().raw(request + " HTTP/1.1\r\n" + host + end);
            score.judge("a host name that resolves to the service: " + request, response);
        }
    }

    /** Origins that may read responses. */
    private static void sharing(Scene scene, Score score) {
        String[] access = scene.attacker().access().headers();
        for (String origin : List.of("https://" + EVIL, "null", scene.origin() + '.' + EVIL)) {
            TestResponse response = scene.target().get(Person.SESSION, and(access, "Origin", origin));
            score.check("reading a response from a page of " + origin, !shares(response, origin), "is allowed");
            TestResponse preflight = scene.target()
                    .send(
                            "OPTIONS",
                            Person.LOGIN_FINISH,
                            null,
                            "Origin",
                            origin,
                            "Access-Control-Request-Method",
                            "POST");
            score.check("a preflight request from a page of " + origin, !shares(preflight, origin), "is granted");
        }
    }

    private static boolean shares(TestResponse response, String origin) {
        String allowed = response.header("Access-Control-Allow-Origin");
        return origin.equals(allowed) || "*".equals(allowed);
    }

    /** A foreign host must not be reflected in a response, where caches and links would pick it up. */
    private static void hosts(Scene scene, Score score) {
        for (String path : List.of("/", "/.well-known/passkey-endpoints", Person.LOGIN_OPTIONS)) {
            for (String header : List.of("X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-Host")) {
                String value = header.equals("Forwarded") ? "host=" + EVIL : EVIL;
                TestResponse response = scene.target().get(path, header, value);
                score.check(header + " at " + path, !reflects(response), "is reflected in the response");
            }
            TestResponse response =
                    scene.target().raw("GET " + path + " HTTP/1.1\r\nHost: " + EVIL + "\r\nConnection: close\r\n\r\n");
            score.check("another host at " + path, !reflects(response), "is reflected in the response");
        }
    }

    private static boolean reflects(TestResponse response) {
        return response.body().contains(EVIL) || response.headers().toString().contains(EVIL);
    }

    /** Headers that claim an internal client or another path. */
    private static void internalHeaders(Scene scene, Score score) {
        for (String path : ADMIN) {
            if (scene.target().get(path).ok()) {
                score.skip("internal headers at " + path, "it needs no token here");
                continue;
            }
            for (String header :
                    List.of("X-Forwarded-For", "X-Real-IP", "True-Client-IP", "Client-IP", "X-Client-IP")) {
                score.judge(header + " at " + path, scene.target().get(path, header, "127.0.0.1"));
            }
            score.judge("Forwarded at " + path, scene.target().get(path, "Forwarded", "for=127.0.0.1;host=localhost"));
            for (String header : List.of("X-Original-URL", "X-Rewrite-URL")) {
                TestResponse response = scene.target().get("/auth/session", header, path);
                score.judge(header + " to " + path, response);
            }
        }
    }

    /** Method overrides. */
    private static void methods(Scene scene, Score score) {
        Account person = scene.attacker();
        String id = person.passkeys().stream().findFirst().orElse("none");
        String path = Person.CREDENTIALS + '/' + id;
        for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            scene.target()
                    .post(
                            path + "?force=true&_method=DELETE",
                            "{}",
                            and(person.access().headers(), header, "DELETE"));
            score.check(header, person.passkeys().contains(id), "removed a passkey");
        }
    }

    private static void cookies(Scene scene, Score score) {
        GrantedAccess access = scene.attacker().login();
        String cookie = access.cookie();
        if (cookie == null) {
            score.skip("cookies", "logins return only tokens");
            return;
        }
        String name = cookie.substring(0, cookie.indexOf('='));
        String value = cookie.substring(name.length());
        String bare = name.replaceFirst("^__(Host|Secure)-", "");
        for (String other : List.of("__Secure-" + bare, "__host-" + bare, "__HOST-" + bare, "x" + bare, bare + "x")) {
            score.judge("the session under the name " + other, session(scene, "Cookie", other + value));
        }
        String prefixed = name.equals(bare) ? "__Host-" + bare : bare;
        score.judge("the session under the name " + prefixed, session(scene, "Cookie", prefixed + value));
        score.judge("the session with an extra letter", session(scene, "Cookie", cookie + 'A'));
        score.judge(
                "an invalid token beside a valid session",
                session(scene, "Cookie", cookie, "Authorization", "Bearer wrong"));
        String via = JsonObject.parse(session(scene, "Cookie", cookie).body()).string("userId", "");
        score.check("the session itself", scene.attacker().userId().equals(via), "belongs to " + via);
    }

    private static TestResponse session(Scene scene, String... headers) {
        return scene.target().get(Person.SESSION, headers);
    }

    private static String[] and(String[] headers, String... more) {
        return Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new);
    }
}
