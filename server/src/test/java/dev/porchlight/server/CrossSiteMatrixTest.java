// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CSRF and CORS: every kind of page
 * against every route that changes state or that only users and operators may use, as listed in {@code /openapi.json}.
 */
@Tag("slow")
class CrossSiteMatrixTest {
    private static final String OWN = "the service's own origin";
    private static final String PARTY = "http://localhost:3000";
    private static final String RELATED = "https://app.example";
    private static final String ANDROID = "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
    private static final String LOGOUT = "POST /auth/logout";

    private static Service service;
    private static Description description;
    private static Person user;

    /** The result of a request: accepted and readable by the page, accepted without CORS headers, or refused. */
    private enum Result {
        SHARED,
        ACCEPTED,
        REFUSED
    }

    /** A kind of page, with the headers that browsers send for it; {@code null} is a missing header. */
    private record Sender(String page, String origin, String site, Result result) {
        @Override
        public String toString() {
            return page + " (Origin: " + origin + ", Sec-Fetch-Site: " + site + ") is " + result;
        }
    }

    static Stream<Sender> senders() {
        return Stream.of(
                new Sender("our own page", OWN, "same-origin", Result.ACCEPTED),
                new Sender("our own page, by GET", null, "same-origin", Result.ACCEPTED),
                new Sender("our own page in an old browser", OWN, null, Result.ACCEPTED),
                new Sender("a typed address", null, "none", Result.ACCEPTED),
                new Sender("a program other than a browser", null, null, Result.ACCEPTED),
                new Sender("a page of the relying party", PARTY, "same-site", Result.SHARED),
                new Sender("a page of the relying party elsewhere", PARTY, "cross-site", Result.SHARED),
                new Sender("a page of the relying party in an old browser", PARTY, null, Result.SHARED),
                new Sender("a page of a related origin", RELATED, "cross-site", Result.SHARED),
                new Sender("a page of a related origin in an old browser", RELATED, null, Result.SHARED),
                new Sender("another site", "https://evil.example", "cross-site", Result.REFUSED),
                new Sender("another site in an old browser", "https://evil.example", null, Result.REFUSED),
                new Sender("another site that hides its origin", null, "cross-site", Result.REFUSED),
                new Sender("a sandboxed frame", "null", "cross-site", Result.REFUSED),
                new Sender("a sandboxed frame in an old browser", "null", null, Result.REFUSED),
                new Sender("a sibling of our host", "http://evil.localhost:3000", "same-site", Result.REFUSED),
                new Sender("a sibling that hides its origin", null, "same-site", Result.REFUSED),
                new Sender("another port of our host", "http://localhost:3001", "same-site", Result.REFUSED),
                new Sender("another port in an old browser", "http://localhost:3001", null, Result.REFUSED),
                new Sender("our host by another scheme", "https://localhost:3000", "cross-site", Result.REFUSED),
                new Sender("a host that starts with ours", PARTY + ".evil.example", "cross-site", Result.REFUSED),
                new Sender(
                        "a host that starts with ours, in an old browser",
                        PARTY + ".evil.example",
                        null,
                        Result.REFUSED),
                new Sender("our origin in capitals", "HTTP://LOCALHOST:3000", "cross-site", Result.REFUSED),
                new Sender("a related origin with a path", RELATED + "/", "cross-site", Result.REFUSED),
                new Sender("two origins", PARTY + " https://evil.example", null, Result.REFUSED),
                new Sender("a page with the origin of an app", ANDROID, "cross-site", Result.REFUSED),
                new Sender("another site that claims ours", "https://evil.example", "same-origin", Result.REFUSED),
                new Sender("another site that claims no site", "https://evil.example", "none", Result.REFUSED),
                new Sender("our own page, marked cross-site", OWN, "cross-site", Result.REFUSED),
                new Sender("a value that no browser sends", null, "same-origin, cross-site", Result.REFUSED),
                new Sender("a value in capitals", null, "Same-Origin", Result.REFUSED),
                new Sender("an empty value", null, "", Result.REFUSED));
    }

    @BeforeAll
    static void start() {
        service = Service.on(
                TestDatabase.SQLITE,
                "RP_ORIGIN",
                PARTY,
                "RP_RELATED_ORIGINS",
                RELATED + "," + ANDROID,
                "RATE_LIMIT_PER_MINUTE",
                "100000");
        description =
                new Description(service.web().get("/openapi.json").expect(200).body());
        user = service.newUser().enroll();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("senders")
    void T10_protected_routes_accept_requests_only_from_allowed_origins(Sender sender) {
        assertThat(guarded()).hasSizeGreaterThan(14).contains(LOGOUT, "GET /auth/passkey/login/options");
        for (String operation : guarded()) {
            TestResponse response = send(sent(sender), operation);

            boolean forOwnPages = !operation.contains(" /auth/");
            boolean issuer = PARTY.equals(sender.origin()) && sender.site() == null && operation.contains(" /oauth2/");
            boolean refused =
                    sender.result() == Result.REFUSED || sender.result() == Result.SHARED && forOwnPages && !issuer;
            assertThat(response.body().contains("\"cross_site\""))
                    .as("%s: %s", operation, response.body())
                    .isEqualTo(refused);
            if (refused) {
                response.expectProblem(403, "cross_site");
            }
            boolean shown = sender.result() == Result.SHARED && !forOwnPages;
            assertThat(response.header("Access-Control-Allow-Origin"))
                    .as(operation)
                    .isEqualTo(shown ? sender.origin() : null);
            assertThat(accessControl(response)).as(operation).hasSize(shown ? 3 : 0);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("senders")
    void T10_a_refused_cross_site_request_has_no_effect(Sender sender) {
        String cookie = Person.cookie(user.login().expect(200));
        boolean refused = sender.result() == Result.REFUSED;

        send(sent(sender).with("Cookie", cookie), LOGOUT).expect(refused ? 403 : 204);

        service.web().with("Cookie", cookie).get("/auth/session").expect(refused ? 200 : 401);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("senders")
    void a_preflight_succeeds_only_for_allowed_origins(Sender sender) {
        for (String operation : guarded()) {
            String[] route = operation.split(" ", -1);
            TestResponse response = sent(sender)
                    .with("Access-Control-Request-Method", route[0])
                    .with("Access-Control-Request-Headers", "content-type,traceparent")
                    .send("OPTIONS", path(operation), null);

            if (sender.result() != Result.SHARED || !route[1].startsWith("/auth/")) {
                assertThat(response.status()).as(operation).isGreaterThanOrEqualTo(400);
                assertThat(accessControl(response)).as(operation).isEmpty();
                continue;
            }
            response.expect(204);
            assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo(sender.origin());
            assertThat(response.header("Access-Control-Allow-Credentials")).isEqualTo("true");
            assertThat(response.header("Access-Control-Allow-Methods").split(", "))
                    .contains(route[0]);
            assertThat(response.header("Access-Control-Allow-Headers").split(", "))
                    .containsExactlyInAnyOrder("content-type", "authorization", "traceparent", "x-correlation-id");
            assertThat(response.headers().allValues("Vary")).contains("Origin");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("senders")
    void the_browser_helper_is_loadable_only_by_allowed_origins(Sender sender) {
        for (String path : List.of("/porchlight.js", "/porchlight/account.js")) {
            TestResponse script = sent(sender).get(path).expect(200);

            assertThat(script.header("Access-Control-Allow-Origin"))
                    .isEqualTo(sender.result() == Result.SHARED ? sender.origin() : null);
            assertThat(script.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        }
    }

    /** Types that a page can send without a preflight. The last ones need a preflight, but are not JSON either. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "text/plain; application/json",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "x",
                "application/jsonp",
                "text/json",
            })
    void T10_a_form_content_type_is_refused(String type) {
        for (String operation :
                guarded().stream().filter(CrossSiteMatrixTest::takesJson).toList()) {
            Web caller = operation.contains(" /auth/") ? user.byToken() : service.admin();

            send(caller.with("Content-Type", type), operation).expectProblem(415, "unsupported_media_type");
        }
    }

    @Test
    void a_json_content_type_may_have_a_charset() {
        service.web()
                .with("Content-Type", "application/json; charset=utf-8")
                .send("POST", Person.LOGIN_FINISH, "{}")
                .expectProblem(401, "authentication_failed");
    }

    @Test
    void an_allowed_origin_can_read_refusals_and_exposed_headers() {
        TestResponse response =
                service.web().with("Origin", PARTY).get("/auth/session").expectProblem(401, "unauthenticated");

        assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo(PARTY);
        assertThat(response.header("Access-Control-Expose-Headers")).isEqualTo("retry-after, x-correlation-id");
    }

    @Test
    void a_request_without_an_origin_gets_no_cors_headers_but_varies_by_origin() {
        TestResponse response = service.web().get(Person.LOGIN_OPTIONS).expect(200);

        assertThat(accessControl(response)).isEmpty();
        assertThat(response.headers().allValues("Vary")).contains("Origin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/health/live", "/openapi.json"})
    void public_routes_accept_any_origin_without_cors_headers(String path) {
        Web page = service.web().with("Origin", PARTY).with("Sec-Fetch-Site", "cross-site");

        assertThat(accessControl(page.get(path).expect(200))).isEmpty();
        assertThat(accessControl(
                        page.with("Access-Control-Request-Method", "GET").send("OPTIONS", path, null)))
                .isEmpty();
    }

    @Test
    void any_page_reads_the_keys_as_an_application_in_a_browser_does() {
        TestResponse keys = service.web()
                .with("Origin", "https://spa.example")
                .with("Sec-Fetch-Site", "cross-site")
                .get("/.well-known/jwks.json")
                .expect(200);

        assertThat(keys.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(keys.header("Access-Control-Allow-Credentials")).isNull();
    }

    @Test
    void an_options_request_without_preflight_headers_is_refused() {
        service.web()
                .with("Origin", PARTY)
                .send("OPTIONS", "/auth/session", null)
                .expectProblem(405, "method_not_allowed");
    }

    @Test
    void a_same_origin_page_needs_no_cors_headers() throws Exception {
        int port = freePort();
        String own = "http://localhost:" + port;
        try (Service local = Service.on(TestDatabase.SQLITE, "PORT", "" + port, "RP_ORIGIN", own)) {
            var request = HttpRequest.newBuilder(URI.create(own + Person.LOGIN_OPTIONS))
                    .header("Origin", own);
            var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(accessControl(new TestResponse(200, response.headers(), "")))
                    .isEmpty();
            assertThat(local.web().with("Origin", own).get(Person.LOGIN_OPTIONS).header("Access-Control-Allow-Origin"))
                    .as("127.0.0.1 is another origin")
                    .isEqualTo(own);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "192.0.2.1", "localhost.evil.example", "127.0.0.1.evil.example"})
    void in_localhost_mode_the_host_must_be_loopback(String host) throws IOException {
        for (String operation : guarded()) {
            String response = raw(operation, host, "Origin: http://" + host + "\r\nSec-Fetch-Site: same-origin\r\n");

            assertThat(response).as(operation).startsWith("HTTP/1.1 403 ").contains("\"foreign_host\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "login.localhost", "127.0.0.1", "127.1.2.3", "[::1]"})
    void every_name_of_this_machine_is_loopback(String host) throws IOException {
        assertThat(raw("GET /auth/session", host, "")).startsWith("HTTP/1.1 401 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/health/live", "/health/ready", "/openapi.json"})
    void in_localhost_mode_no_site_reads_metrics_health_or_the_description(String path) throws IOException {
        for (String site : List.of("evil.example", "localhost.evil.example", "127.0.0.1.evil.example")) {
            assertThat(raw("GET " + path, site, "")).startsWith("HTTP/1.1 403 ").contains("\"foreign_host\"");
        }
        for (String monitoring : List.of("localhost", "porchlight", "10.1.2.3", "[2001:db8::1]")) {
            assertThat(raw("GET " + path, monitoring, "")).startsWith("HTTP/1.1 200 ");
        }
    }

    private static String raw(String operation, String host, String headers) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), service.web().uri("").getPort())) {
            String request = operation.split(" ", -1)[0] + " " + path(operation) + " HTTP/1.1\r\nHost: " + host
                    + ":8080\r\n" + headers
                    + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void preflights_do_not_count_against_the_rate_limit() {
        try (Service strict = Service.on(TestDatabase.SQLITE, "RP_ORIGIN", PARTY, "RATE_LIMIT_PER_MINUTE", "2")) {
            Web page = strict.web().with("Origin", PARTY).with("Access-Control-Request-Method", "GET");
            for (int i = 0; i < 10; i++) {
                page.send("OPTIONS", Person.LOGIN_OPTIONS, null).expect(204);
            }
            TestResponse response = page.get(Person.LOGIN_OPTIONS).expect(200);
            while (response.status() != 429) {
                response = page.get(Person.LOGIN_OPTIONS);
            }
            assertThat(response.header("Access-Control-Allow-Origin")).as("429").isEqualTo(PARTY);
        }
    }

    /** The routes that change state, and all routes for users and operators; not those that applications call. */
    private static List<String> guarded() {
        return description.operations().stream()
                .filter(operation -> !operation.matches(".* /oauth2/(authorize|token|revoke|par|userinfo|logout)"))
                .filter(operation -> !operation.startsWith("GET ")
                        || operation.matches("GET /oauth2/(continue|request|logout/complete)")
                        || operation.contains(" /auth/")
                        || operation.contains(" /admin/")
                        || operation.contains(" /console/api/"))
                .toList();
    }

    private static boolean takesJson(String operation) {
        return description.takesBody(operation)
                && description.bodyType(operation).equals("application/json");
    }

    private static Web sent(Sender sender) {
        Web web = service.web();
        if (sender.origin() != null) {
            String own = web.uri("").toString();
            web = web.with("Origin", sender.origin().equals(OWN) ? own : sender.origin());
        }
        return sender.site() == null ? web : web.with("Sec-Fetch-Site", sender.site());
    }

    private static TestResponse send(Web web, String operation) {
        return web.send(operation.split(" ", -1)[0], path(operation), "{}");
    }

    private static String path(String operation) {
        return operation.split(" ", -1)[1].replaceAll("\\{\\w+}", "AAAA");
    }

    private static List<String> accessControl(TestResponse response) {
        return response.headers().map().keySet().stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-"))
                .toList();
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
