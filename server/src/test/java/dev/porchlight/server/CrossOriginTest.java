// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers let the pages of other origins do. */
class CrossOriginTest {
    private static final String APP = "http://localhost:3000";
    private static final String RELATED = "https://app.example";
    private static final String ANDROID = "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(
                TestDatabase.SQLITE,
                "RP_ORIGIN",
                APP,
                "RP_RELATED_ORIGINS",
                RELATED + "," + ANDROID,
                "RATE_LIMIT_PER_MINUTE",
                "100000");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Web page(String origin) {
        return service.web().with("Origin", origin);
    }

    private static Reply preflight(String origin, String method, String path) {
        return page(origin)
                .with("Sec-Fetch-Site", "cross-site")
                .with("Access-Control-Request-Method", method)
                .with("Access-Control-Request-Headers", "content-type,traceparent")
                .send("OPTIONS", path, BodyPublishers.noBody());
    }

    private static List<String> accessControl(Reply reply) {
        return reply.headers().map().keySet().stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {APP, RELATED})
    void a_page_of_the_relying_party_may_read_answers_and_bring_its_cookies(String origin) {
        Reply reply = page(origin).get(Person.LOGIN_OPTIONS).expect(200);

        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(origin);
        assertThat(reply.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(reply.header("Access-Control-Expose-Headers")).isEqualTo("retry-after, x-correlation-id");
        assertThat(reply.headers().allValues("Vary")).contains("Origin");
    }

    @Test
    void it_may_read_refusals_too() {
        Reply reply = page(APP).get("/auth/session").expectProblem(401, "unauthenticated");

        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(APP);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /auth/passkey/login/options",
        "POST, /auth/passkey/login/finish",
        "PATCH, /auth/passkey/credentials/AAAA",
        "DELETE, /auth/passkey/credentials/AAAA",
        "POST, /auth/logout",
        "GET, /porchlight.js",
    })
    void a_preflight_of_such_a_page_is_answered_for_every_method(String method, String path) {
        Reply reply = preflight(APP, method, path).expect(204);

        assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(APP);
        assertThat(reply.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(reply.header("Access-Control-Allow-Methods").split(", ")).contains(method);
        assertThat(reply.header("Access-Control-Allow-Headers").split(", "))
                .containsExactlyInAnyOrder("content-type", "authorization", "traceparent", "x-correlation-id");
        assertThat(reply.headers().allValues("Vary")).contains("Origin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "http://localhost:3001",
                "https://localhost:3000",
                "http://localhost:3000.evil.example",
                "HTTP://LOCALHOST:3000",
                "https://app.example/",
                ANDROID,
            })
    void any_other_origin_gets_no_word(String origin) {
        assertThat(accessControl(page(origin).get(Person.LOGIN_OPTIONS).expect(200)))
                .isEmpty();
        assertThat(accessControl(page(origin).get("/porchlight.js"))).isEmpty();
        assertThat(accessControl(preflight(origin, "POST", "/auth/logout").expectProblem(403, "cross_site")))
                .isEmpty();
    }

    @Test
    void what_has_no_origin_gets_no_word_and_yet_no_cache_mixes_it_up() {
        Reply reply = service.web().get(Person.LOGIN_OPTIONS).expect(200);

        assertThat(accessControl(reply)).isEmpty();
        assertThat(reply.headers().allValues("Vary")).contains("Origin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin/request", "/metrics", "/health/live", "/openapi.json", "/.well-known/jwks.json"})
    void other_routes_are_for_no_page_of_another_origin(String path) {
        assertThat(accessControl(page(APP).get(path))).isEmpty();
        assertThat(accessControl(preflight(APP, "GET", path))).isEmpty();
    }

    @Test
    void an_options_request_that_is_no_preflight_is_refused_as_ever() {
        page(APP).send("OPTIONS", "/auth/session", BodyPublishers.noBody()).expectProblem(405, "method_not_allowed");
    }

    @Test
    void a_page_of_the_service_itself_needs_no_word() throws Exception {
        int port = freePort();
        String own = "http://localhost:" + port;
        try (Service local = Service.on(TestDatabase.SQLITE, "PORT", "" + port, "RP_ORIGIN", own)) {
            var request = HttpRequest.newBuilder(URI.create(own + Person.LOGIN_OPTIONS))
                    .header("Origin", own);
            var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(accessControl(new Reply(200, response.headers(), ""))).isEmpty();
            assertThat(local.web().with("Origin", own).get(Person.LOGIN_OPTIONS).header("Access-Control-Allow-Origin"))
                    .as("at 127.0.0.1, which is another origin")
                    .isEqualTo(own);
        }
    }

    @Test
    void preflights_cost_nothing_of_the_rate_limit() {
        try (Service strict = Service.on(TestDatabase.SQLITE, "RP_ORIGIN", APP, "RATE_LIMIT_PER_MINUTE", "2")) {
            Web page = strict.web().with("Origin", APP).with("Access-Control-Request-Method", "GET");
            for (int i = 0; i < 10; i++) {
                page.send("OPTIONS", Person.LOGIN_OPTIONS, BodyPublishers.noBody())
                        .expect(204);
            }
            Reply reply = page.get(Person.LOGIN_OPTIONS).expect(200);
            while (reply.status() != 429) {
                reply = page.get(Person.LOGIN_OPTIONS);
            }
            assertThat(reply.header("Access-Control-Allow-Origin")).as("429").isEqualTo(APP);
        }
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
