// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile text stays text wherever it is sent: it creates no log line or field, moves no cursor, and becomes no
 * label, header or metric series.
 */
@Tag("slow")
class InjectionMatrixTest {
    /** Each starts with a word to search for. */
    private static final List<String> HOSTILE = List.of(
            "planted\r\n{\"level\":\"error\",\"message\":\"forged\"}",
            "planted\n127.0.0.1 - - GET / 200",
            "planted\u001b[2J\u001b[31mred\u0007\u009b31m",
            "planted {} %s %n ${jndi:ldap://127.0.0.1:9/x} #{1+1} {{x}}",
            "planted\",\"level\":\"error\",\"x\":\"",
            "planted\\u000a\\n\\",
            "planted\u2028\u2029\u0085next",
            "planted\u202egnirts\u202c\ufeff\u200b",
            "planted\u0000\b\f\u007f",
            "planted\"} 1\nforged_total{x=\"",
            "planted'); DROP TABLE passkey_user; --");

    private static Service service;
    private static Person person;

    /** A place for hostile text. The response's status shows whether the service accepted it. */
    private record Place(String name, BiFunction<Web, String, TestResponse> write) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Place> places() {
        return Stream.of(
                new Place("a user id in a query", (web, text) -> web.get(Person.LOGIN_OPTIONS + Web.user(text))),
                new Place("a user id in a body", (web, text) -> web.post("/auth/signup", json("userId", text))),
                new Place(
                        "a display name",
                        (web, text) -> web.post(
                                "/auth/signup",
                                new JsonObject()
                                        .put("userId", "grace")
                                        .put("displayName", text)
                                        .toString())),
                new Place(
                        "a passkey's name",
                        (web, text) -> person.byToken()
                                .patch(Person.CREDENTIALS + "/" + person.credentialId(), json("name", text))),
                new Place("a path", (web, text) -> web.get("/" + encoded(text))),
                new Place(
                        "a path that contains an id",
                        (web, text) -> person.byToken().delete(Person.CREDENTIALS + "/" + encoded(text))),
                new Place("a query", (web, text) -> web.get("/?x=" + encoded(text))),
                new Place(
                        "a browser's name",
                        (web, text) -> web.with("User-Agent", printable(text)).get("/health/live")),
                new Place(
                        "a browser's name at a login",
                        (web, text) -> web.with("User-Agent", printable(text))
                                .post(Person.LOGIN_FINISH + Web.user(person.userId()), person.assertion())),
                new Place(
                        "a correlation id",
                        (web, text) ->
                                web.with("X-Correlation-ID", printable(text)).get("/nothing")),
                new Place(
                        "a trace",
                        (web, text) -> web.with("traceparent", printable(text))
                                .with("tracestate", printable(text))
                                .get("/nothing")),
                new Place(
                        "an address of a proxy",
                        (web, text) ->
                                web.with("X-Forwarded-For", printable(text)).get("/nothing")),
                new Place(
                        "an origin of a page",
                        (web, text) -> web.with("Origin", printable(text)).get(Person.LOGIN_OPTIONS)),
                new Place("a token", (web, text) -> web.bearer(printable(text)).get("/auth/session")),
                new Place(
                        "a cookie",
                        (web, text) -> web.with("Cookie", "porchlight=" + printable(text))
                                .get("/auth/session")),
                new Place(
                        "a type of a body",
                        (web, text) -> web.with("Content-Type", printable(text)).send("POST", "/auth/signup", "{}")),
                new Place("a method", (web, text) -> web.send(token(text), "/", null)),
                new Place(
                        "an origin in client data",
                        (web, text) -> login(
                                web,
                                "clientDataJSON",
                                base64(new JsonObject()
                                        .put("type", "webauthn.get")
                                        .put("challenge", "AAAA")
                                        .put("origin", text)
                                        .toString()))),
                new Place(
                        "a type in client data",
                        (web, text) -> login(web, "clientDataJSON", base64(json("type", text)))),
                new Place("client data that is not JSON", (web, text) -> login(web, "clientDataJSON", base64(text))),
                new Place("a user handle", (web, text) -> login(web, "userHandle", base64(text))),
                new Place("a signature", (web, text) -> login(web, "signature", text)),
                new Place(
                        "a credential id",
                        (web, text) -> web.post(
                                Person.LOGIN_FINISH,
                                JsonObject.parse(person.assertion())
                                        .put("id", text)
                                        .put("rawId", text)
                                        .toString())),
                new Place("a body that is not JSON", (web, text) -> web.post(Person.LOGIN_FINISH, text)),
                new Place(
                        "a browser's report",
                        (web, text) -> web.post(
                                "/auth/passkey/report",
                                new JsonObject()
                                        .put("ceremony", "login")
                                        .put("outcome", "config")
                                        .put("origin", text)
                                        .put("rpId", text)
                                        .put("error", text)
                                        .toString())));
    }

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE, "LOG_LEVEL", "trace,jdk.internal.httpclient=warn");
        person = service.newUser(SoftAuthenticator.securityKey()).enroll();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void T44_hostile_text_never_becomes_a_log_line_a_label_or_a_header(Place place) {
        int before = service.logs().length();
        for (String text : HOSTILE) {
            TestResponse response = place.write().apply(service.web(), text);

            assertThat(response.status()).as(text).isLessThan(500);
            assertThat(response.headers().map().toString()).as(text).doesNotContain("planted", "PLANTED");
            assertThat(response.body())
                    .as(text)
                    .doesNotContainPattern("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]");
        }
        String logged = service.logs().substring(before);

        assertThat(logged.lines()).isNotEmpty().allSatisfy(line -> {
            JsonObject record = JsonObject.parse(line); // refuses duplicate members
            assertThat(record.string("message")).isNotEqualTo("forged");
            assertThat(record.string("service")).isEqualTo("porchlight");
        });
        assertThat(logged).doesNotContainPattern("[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]");
        assertThat(service.metrics()).doesNotContainIgnoringCase("planted").doesNotContain("forged");
    }

    /** Sends pipelined requests over one connection, each with a new path, user, browser, id, host and sometimes method. */
    @Test
    void T44_a_hundred_thousand_clients_create_no_metric_series() throws Exception {
        int strangers = 100_000;
        try (Service quiet = Service.on(TestDatabase.SQLITE, "LOG_LEVEL", "error")) {
            flood(quiet, 0, 1_000);
            Set<String> before = series(quiet);

            flood(quiet, 1_000, strangers);

            Set<String> after = series(quiet);
            assertThat(quiet.metrics())
                    .containsPattern(
                            "http_requests_total\\{method=\"[A-Z_]+\",route=\"[^\"]*\",status=\"404\"} 9\\d{4}");
            after.removeAll(before);
            assertThat(after)
                    .as("series created by the flood")
                    .hasSizeLessThan(20)
                    .noneMatch(line -> line.contains("stranger"));
            assertThat(before).hasSizeLessThan(2_000);
        }
    }

    private static void flood(Service to, int from, int until) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), to.web().uri("").getPort())) {
            socket.setSoTimeout(Patience.MILLIS);
            InputStream responses = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            int batch = 100;
            for (int first = from; first < until; first += batch) {
                var requests = new StringBuilder();
                for (int i = first; i < first + batch; i++) {
                    requests.append(i % 50 == 0 ? "STRANGER" + i : "HEAD")
                            .append(" /stranger")
                            .append(i)
                            .append("?userId=stranger")
                            .append(i)
                            .append(" HTTP/1.1\r\nHost: stranger")
                            .append(i)
                            .append(".example\r\nUser-Agent: client ")
                            .append(i)
                            .append("\r\nX-Correlation-ID: stranger-")
                            .append(i)
                            .append("\r\nContent-Length: 0\r\n\r\n");
                }
                socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
                awaitResponses(responses, batch);
            }
        }
    }

    /** Reads this many response heads; each starts with the protocol, which the bodies do not contain. */
    private static void awaitResponses(InputStream responses, int count) throws IOException {
        byte[] begin = "HTTP/1.1 404".getBytes(StandardCharsets.US_ASCII);
        int matched = 0;
        int seen = 0;
        while (seen < count) {
            int next = responses.read();
            if (next < 0) {
                throw new EOFException("closed after " + seen);
            }
            matched = next == begin[matched] ? matched + 1 : next == begin[0] ? 1 : 0;
            if (matched == begin.length) {
                seen++;
                matched = 0;
            }
        }
    }

    private static Set<String> series(Service of) {
        return of.metrics()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toSet());
    }

    private static TestResponse login(Web web, String member, String value) {
        JsonObject assertion = JsonObject.parse(person.assertion());
        assertion.object("response").put(member, value);
        return web.post(Person.LOGIN_FINISH + Web.user(person.userId()), assertion.toString());
    }

    private static String json(String name, String text) {
        return new JsonObject().put(name, text).toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The characters of a text that an HTTP method may contain. */
    private static String token(String text) {
        return text.replaceAll("[^!#$%&'*+.^_`|~0-9A-Za-z-]", "");
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
