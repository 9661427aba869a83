// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.SupportCode;
import dev.porchlight.passkey.Step;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console's data and its access control. */
class ConsoleTest {
    private static final String CEREMONIES = "/console/api/ceremonies";
    private static final String TRACE = "9b8977abcdef01230123456789abcdef";
    private static final String PARENT = "00-" + TRACE + "-0123456789abcdef-01";

    static Stream<String> routes() {
        return Stream.of("/console/api/history", "/console/api/stream", CEREMONIES);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void the_console_requires_the_admin_token(String route) {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.web().get(route).expectProblem(401, "unauthenticated");
            service.web().bearer("a wrong token").get(route).expectProblem(401, "unauthenticated");
            service.web()
                    .bearer(service.newUser().enroll().login().json().string("token"))
                    .get(route)
                    .expectProblem(401, "unauthenticated");
            service.admin().with("Sec-Fetch-Site", "cross-site").get(route).expectProblem(403, "cross_site");
        }
    }

    @Test
    void the_console_without_a_token_is_for_local_clients_only() throws Exception {
        try (RunningService service = new RunningService(Map.of(), routes -> {})) {
            assertThat(service.get(CEREMONIES).statusCode()).isEqualTo(200);
            for (String header : List.of(
                    "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")) {
                assertThat(service.get(CEREMONIES, header, "127.0.0.1").statusCode())
                        .as(header)
                        .isEqualTo(403);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "127.0.0.1:80, 200",
        "[::1]:80, 200",
        "rebound.example, 403",
        "localhost.rebound.example, 403",
        "127.0.0.1.rebound.example, 403",
        "10.0.0.1, 403",
    })
    void a_foreign_host_name_for_this_machine_is_refused(String host, int status) throws Exception {
        try (RunningService service = new RunningService(Map.of(), routes -> {});
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.app.port())) {
            String request = "GET " + CEREMONIES + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void a_management_port_removes_the_console_from_the_public_port() throws Exception {
        try (RunningService service = new RunningService(Map.of("MANAGEMENT_PORT", "0"), routes -> {})) {
            for (String path : List.of("/console", CEREMONIES, "/console/api/history")) {
                assertThat(service.get(path).statusCode()).isEqualTo(404);
                URI managed = URI.create("http://localhost:" + service.app.managementPort() + path);
                assertThat(service.send(HttpRequest.newBuilder(managed).build()).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void the_page_offers_a_sign_in_where_sessions_count() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            assertThat(service.web().get("/console").expect(200).body()).contains("data-sign-in=\"passkey\"");
        }
        try (Service service = Service.on(TestDatabase.SQLITE, "MANAGEMENT_PORT", "0")) {
            assertThat(service.management().get("/console").expect(200).body()).contains("data-sign-in=\"none\"");
        }
        try (Service service = Service.on(TestDatabase.SQLITE, "LOGIN_RESULT", "token")) {
            assertThat(service.web().get("/console").expect(200).body()).contains("data-sign-in=\"none\"");
        }
    }

    @Test
    void a_refused_login_is_found_with_its_steps_its_cause_and_the_setting() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser().enroll();
            Web traced = service.web().with("traceparent", PARENT);
            String options =
                    traced.get(Person.LOGIN_OPTIONS + Web.user(ada.userId())).body();
            SoftBrowser elsewhere =
                    new SoftBrowser("http://localhost:1234", ada.browser().authenticator());
            TestResponse refused = traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), elsewhere.get(options))
                    .expect(401);
            traced.post("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"refused\",\"elapsedMs\":1234}")
                    .expect(204);

            String code = SupportCode.of(TRACE);
            JsonObject found = only(service.admin().get(CEREMONIES + "?find=" + code));
            assertThat(found.string("supportCode")).isEqualTo(code);
            assertThat(found.string("traceId")).isEqualTo(TRACE);
            assertThat(found.string("state")).isEqualTo("refused");
            assertThat(found.object("cause").string("code")).isEqualTo(Step.ORIGIN.code());
            assertThat(found.object("cause").toString()).contains("RP_ORIGIN");
            assertThat(service.admin().get(CEREMONIES).json().object("settings").string("RP_ORIGIN"))
                    .isEqualTo("http://localhost");
            List<JsonObject> events = found.objects("events");
            assertThat(events).extracting(event -> event.string("side")).containsExactly("server", "server", "browser");
            assertThat(events.get(1).string("user")).isEqualTo(ada.userId());
            assertThat(events.get(1).string("detail")).contains("http://localhost:1234");
            assertThat(events.get(1).objects("steps").get(0).toString()).contains("\"passed\":true");
            assertThat(last(events.get(1).objects("steps")).toString())
                    .contains("\"step\":\"origin_mismatch\",\"passed\":false")
                    .contains("\"expected\":\"http://localhost\",\"found\":\"http://localhost:1234\"");
            assertThat(only(service.admin().get(CEREMONIES + "?find=" + refused.header("X-Correlation-ID"))))
                    .hasToString(found.toString());
            assertThat(service.logs()).contains("\"support_code\":\"" + code + "\",\"support_code_claimed\":true");
            assertThat(events.get(1).toString()).contains("\"claimed\":true");
        }
    }

    @Test
    void ceremonies_without_a_trace_are_kept() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser().enroll();
            TestResponse login = ada.login().expect(200);

            JsonObject found = only(service.admin().get(CEREMONIES + "?find=" + login.header("X-Correlation-ID")));
            assertThat(found.string("state")).isEqualTo("succeeded");
            assertThat(found.toString()).contains("\"claimed\":false");
            assertThat(service.admin().get(CEREMONIES).json().objects("ceremonies"))
                    .extracting(ceremony -> ceremony.string("state"))
                    .contains("succeeded", "pending");
            assertThat(service.admin().get(CEREMONIES + "?find=unknown").json().objects("ceremonies"))
                    .isEmpty();
        }
    }

    @Test
    void a_sign_up_counts_as_a_sign_in() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();

            assertThat(service.metrics())
                    .contains(
                            "passkey_ceremonies_total{ceremony=\"registration\",outcome=\"ok\",reason=\"signed_in\"} 1");
            assertThat(service.admin()
                            .get("/admin/users/" + ada.userId())
                            .json()
                            .get("lastUsedAt"))
                    .isEqualTo(service.admin()
                            .get("/admin/users/" + ada.userId())
                            .json()
                            .objects("passkeys")
                            .get(0)
                            .get("createdAt"));
        }
    }

    @Test
    void autofill_that_no_one_used_is_counted_apart() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser().enroll();
            Web web = service.web().with("traceparent", PARENT);
            String options = web.get(Person.LOGIN_OPTIONS + "?mediation=conditional")
                    .expect(200)
                    .body();

            assertThat(service.metrics())
                    .contains(
                            "passkey_ceremonies_total{ceremony=\"login_options\",outcome=\"ok\",reason=\"autofill\"} 1");
            JsonObject armed = only(service.admin().get(CEREMONIES + "?find=" + TRACE));
            assertThat(armed.string("state")).isEqualTo("pending");

            web.post(Person.LOGIN_FINISH, ada.browser().get(options)).expect(200);
            JsonObject used = only(service.admin().get(CEREMONIES + "?find=" + TRACE));
            assertThat(used.string("state")).isEqualTo("succeeded");
        }
    }

    @Test
    void reports_about_issued_options_are_counted_and_a_wrong_configuration_is_logged() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.newUser();
            Web web = service.web().with("traceparent", PARENT);
            String challenge = web.bearer(ada.enrollmentToken())
                    .get(Person.REGISTER_OPTIONS)
                    .json()
                    .string("challenge");
            String report = report("registration", "config", challenge, ada.userId());
            web.post("/auth/passkey/report", report).expect(204);
            web.post("/auth/passkey/report", report).expect(204);

            assertThat(service.metrics())
                    .contains("passkey_browser_outcomes_total{ceremony=\"registration\",outcome=\"config\"} 1")
                    .contains("passkey_browser_reports_unverified_total 1");
            assertThat(service.logs())
                    .contains("\"origin\":\"https://elsewhere.example\",\"expectedOrigin\":\"http://localhost\"");
            JsonObject found = only(service.admin().get(CEREMONIES + "?find=" + TRACE));
            assertThat(found.object("cause").toString()).contains("RP_ID");
            assertThat(found.toString()).contains("\"verified\":true", "\"verified\":false");
        }
    }

    @Test
    void reports_about_unknown_options_are_shown_as_unverified_and_not_counted() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Web web = service.web().with("traceparent", PARENT);
            String issued =
                    web.get(Person.LOGIN_OPTIONS + Web.user("grace")).json().string("challenge");
            web.post("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"config\"}")
                    .expect(204);
            web.post("/auth/passkey/report", report("login", "config", "A".repeat(56), "grace"))
                    .expect(204);
            web.post("/auth/passkey/report", report("login", "config", issued, "ada"))
                    .expect(204);
            service.clock().advance(Duration.ofHours(3));
            web.post("/auth/passkey/report", report("login", "config", issued, "grace"))
                    .expect(204);

            assertThat(service.metrics())
                    .doesNotContain("passkey_browser_outcomes_total{")
                    .contains("passkey_browser_reports_unverified_total 4");
            assertThat(service.logs()).doesNotContain("a browser refuses passkeys");
            assertThat(only(service.admin().get(CEREMONIES + "?find=" + TRACE)).toString())
                    .contains("\"verified\":false")
                    .doesNotContain("\"verified\":true");
        }
    }

    private static String report(String ceremony, String outcome, String challenge, String userId) {
        return new JsonObject()
                .put("ceremony", ceremony)
                .put("outcome", outcome)
                .put("elapsedMs", 3L)
                .put("error", "SecurityError")
                .put("origin", "https://elsewhere.example")
                .put("rpId", "localhost")
                .put("challenge", challenge)
                .put("userId", userId)
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"ceremony\":\"login\"}",
                "{\"ceremony\":\"payment\",\"outcome\":\"ok\"}",
                "{\"ceremony\":\"login\",\"outcome\":\"invented\"}",
                "{\"ceremony\":\"login\",\"outcome\":\"OK\"}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"elapsedMs\":-1}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"elapsedMs\":1.5}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"elapsedMs\":99999999999999999999}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"error\":\"<script>\"}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"origin\":\"a b\"}",
                "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"rpId\":7}"
            })
    void a_malformed_report_is_refused_and_not_counted(String report) {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.web().post("/auth/passkey/report", report).expectProblem(400, "malformed_request");
            service.web()
                    .post(
                            "/auth/passkey/report",
                            "{\"ceremony\":\"login\",\"outcome\":\"ok\",\"origin\":\"" + "x".repeat(301) + "\"}")
                    .expect(400);

            assertThat(service.metrics()).doesNotContain("passkey_browser_outcomes_total{");
            assertThat(service.admin().get(CEREMONIES).json().objects("ceremonies"))
                    .isEmpty();
        }
    }

    @Test
    void samples_are_streamed_and_kept() throws Exception {
        Service service = Service.on(TestDatabase.SQLITE);
        HttpResponse<InputStream> stream = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(service.web().uri("/console/api/stream"))
                                .header("Authorization", "Bearer " + Service.ADMIN_TOKEN)
                                .build(),
                        BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        assertThat(stream.headers().firstValue("Cache-Control")).hasValue("no-store");
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        String data = lines.lines()
                .filter(line -> line.startsWith("data: "))
                .findFirst()
                .orElseThrow();
        assertThat(JsonObject.parse(data.substring(6)).object("health").toString())
                .contains("\"database\":\"up\"");

        await().untilAsserted(() -> assertThat(
                        service.admin().get("/console/api/history").json().objects("samples"))
                .isNotEmpty());
        assertThat(service.metrics())
                .contains("http_requests_total{method=\"GET\",route=\"/console/api/stream\",status=\"200\"} 1");

        service.close();
        assertThatCode(() -> lines.lines().toList())
                .as("the stream ends, and is not cut off with its connection")
                .doesNotThrowAnyException();
    }

    @Test
    void an_hour_of_samples_is_compressed_if_accepted() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            assertThat(service.admin()
                            .with("Accept-Encoding", "gzip")
                            .get("/console/api/history")
                            .expect(200)
                            .header("Content-Encoding"))
                    .isEqualTo("gzip");
            for (String plain : List.of("identity", "gzip;q=0", "notgzip")) {
                TestResponse response = service.admin()
                        .with("Accept-Encoding", plain)
                        .get("/console/api/history")
                        .expect(200);
                assertThat(response.headers().firstValue("Content-Encoding"))
                        .as(plain)
                        .isEmpty();
                assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
            }
        }
    }

    private static JsonObject only(TestResponse response) {
        List<JsonObject> found = response.expect(200).json().objects("ceremonies");
        assertThat(found).as(response.body()).hasSize(1);
        return found.get(0);
    }

    private static JsonObject last(List<JsonObject> list) {
        return list.get(list.size() - 1);
    }
}
