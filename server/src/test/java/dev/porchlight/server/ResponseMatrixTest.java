// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Browser-facing hardening: every route, page and refusal forbids running, framing and sniffing;
 * markup is returned as data; and no response redirects elsewhere. {@code MarkupTest} covers the pages in a browser.
 */
class ResponseMatrixTest {
    private static final String MARKUP = "</script>\"'><img src=x onerror=xss()><script>xss()</script>";
    private static final String NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'";
    private static final List<String> PAGES = List.of("GET /", "GET /account", "GET /console");
    private static final String STREAM = "GET /console/api/stream";

    private static Service service;
    private static Person person;

    /** A request and the kind of its response. */
    private record Row(String request, Function<Web, TestResponse> sent, String type) {
        @Override
        public String toString() {
            return request + " is " + type;
        }
    }

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE, "RP_NAME", "<b>Porchlight</b>");
        person = service.person(MARKUP, SoftAuthenticator.securityKey()).enroll();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static Stream<Row> routes() {
        Description description =
                new Description(service.web().get("/openapi.json").expect(200).body());
        return description.operations().stream()
                .filter(operation -> !operation.equals(STREAM)) // does not end; EventStreamsTest covers its headers
                .map(operation -> {
                    String[] parts = operation.split(" ", -1);
                    String path = parts[1].replaceAll("\\{\\w+}", "AAAA");
                    return new Row(
                            operation,
                            web -> web.send(parts[0], path, null),
                            PAGES.contains(operation) ? "a page" : "data");
                });
    }

    static Stream<Row> refusals() {
        return Stream.of(
                new Row(
                        "an unknown path",
                        web -> web.get("/<script>".replace("<", "%3C").replace(">", "%3E")),
                        "data"),
                new Row("a malformed path", web -> web.get("/%00"), "data"),
                new Row("an unknown method", web -> web.send("BREW", "/", null), "data"),
                new Row("a method for another route", web -> web.send("PUT", "/", null), "data"),
                new Row(
                        "an unknown page",
                        web -> web.with("Accept", "text/html").get("/account/x"),
                        "a page"),
                new Row("an oversized body", web -> web.post("/auth/signup", " ".repeat(70_000)), "data"),
                new Row(
                        "a body of another type",
                        web -> web.with("Content-Type", "text/html").send("POST", "/auth/signup", MARKUP),
                        "data"),
                new Row(
                        "a query with markup",
                        web -> web.get(Person.LOGIN_OPTIONS + "?userId=a&userId=" + encoded(MARKUP)),
                        "data"),
                new Row(
                        "a request of another site",
                        web -> web.with("Origin", "https://evil.example").get(Person.LOGIN_OPTIONS),
                        "data"),
                new Row(
                        "an oversized header",
                        web -> web.with("X-Large", "x".repeat(20_000)).get("/"),
                        "data"));
    }

    static Stream<Row> files() {
        return Stream.of(
                        "/porchlight.js",
                        "/porchlight/account.js",
                        "/assets/porchlight.css",
                        "/assets/dom.js",
                        "/assets/logo.svg")
                .map(path -> new Row("GET " + path, web -> web.get(path), "a file"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"routes", "refusals", "files"})
    void every_response_has_security_headers(Row row) {
        TestResponse response = row.sent().apply(service.web());

        assertThat(response.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(response.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(response.headers().allValues("Content-Security-Policy")).hasSize(1);
        assertThat(response.headers().map())
                .doesNotContainKeys("server", "x-powered-by", "location", "refresh", "link");
        assertThat(response.status()).matches(status -> status < 300 || status >= 400 && status < 500);
        if (row.type().equals("a page")) {
            assertThat(response.header("Content-Security-Policy"))
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'")
                    .contains("require-trusted-types-for 'script'; trusted-types 'none'")
                    .doesNotContain("unsafe", "*", "http");
        } else {
            assertThat(response.header("Content-Security-Policy")).isEqualTo(NOTHING_RUNS);
            assertThat(String.valueOf(response.header("Content-Type"))).doesNotContain("html", "xhtml");
        }
        assertThat(response.body()).doesNotContain("<script>", "<img src=x", "<b>Porchlight");
    }

    /** Places that return hostile text: always as a JSON string, which nothing renders. */
    static Stream<Row> echoes() {
        return Stream.of(
                new Row("a user id in options", web -> web.bearer(token()).get(Person.REGISTER_OPTIONS), "json"),
                new Row("a user id in the session", web -> web.bearer(token()).get("/auth/session"), "json"),
                new Row(
                        "a browser name in the sessions",
                        web -> {
                            web.with("User-Agent", MARKUP)
                                    .post(Person.LOGIN_FINISH + Web.user(MARKUP), person.assertion())
                                    .expect(200);
                            return web.bearer(token()).get("/auth/sessions");
                        },
                        "json"),
                new Row(
                        "a passkey's name",
                        web -> {
                            web.bearer(token())
                                    .patch(
                                            Person.CREDENTIALS + "/" + person.credentialId(),
                                            new JsonObject().put("name", MARKUP).toString())
                                    .expect(200);
                            return web.bearer(token()).get(Person.CREDENTIALS);
                        },
                        "json"),
                new Row(
                        "a user id in the console",
                        web -> web.bearer(Service.ADMIN_TOKEN).get("/console/api/ceremonies"),
                        "json"),
                new Row(
                        "the service's name in options",
                        web -> web.bearer(token()).get(Person.REGISTER_OPTIONS),
                        "json"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("echoes")
    void hostile_text_is_returned_as_data(Row row) {
        TestResponse response = row.sent().apply(service.web()).expect(200);

        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.header("Content-Security-Policy")).isEqualTo(NOTHING_RUNS);
        assertThat(response.json().toString())
                .contains(row.request().contains("service's name") ? "<b>" : "<img src=x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return_to",
                "returnTo",
                "return",
                "next",
                "redirect",
                "redirect_uri",
                "redirect_url",
                "url",
                "continue",
                "target",
                "dest",
                "callback",
                "RelayState",
            })
    void no_parameter_causes_a_redirect(String parameter) {
        for (String path : List.of("/", "/account", "/auth/session")) {
            TestResponse plain = service.web().get(path);
            for (String target : List.of(
                    "https://evil.example/",
                    "//evil.example",
                    "/\\evil.example",
                    "javascript:xss('evil.example')",
                    "http://localhost@evil.example",
                    "/account\r\nLocation: https://evil.example")) {
                TestResponse response = service.web().get(path + "?" + parameter + "=" + encoded(target));

                assertThat(response.status()).as(path).isEqualTo(plain.status());
                assertThat(response.headers().map()).doesNotContainKeys("location", "refresh");
                assertThat(response.body() + response.headers().map()).doesNotContain("evil.example");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "X-Forwarded-Host", "X-Forwarded-Server", "X-Host", "X-Original-URL", "Forwarded"})
    void no_header_puts_another_host_into_a_response(String header) {
        for (String path : List.of("/", "/.well-known/webauthn", "/.well-known/passkey-endpoints", "/openapi.json")) {
            String head = header.equals("Host") ? "" : "Host: localhost\r\n";
            String value = header.equals("Forwarded") ? "host=evil.example" : "evil.example";

            assertThat(raw("GET " + path + " HTTP/1.1\r\n" + head + header + ": " + value
                            + "\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 ")
                    .doesNotContain("evil.example");
        }
    }

    @Test
    void an_enrollment_link_ignores_the_host_header() {
        String url = service.admin()
                .with("X-Forwarded-Host", "evil.example")
                .post("/admin/enrollments", "{\"userId\":\"grace\"}")
                .expect(201)
                .json()
                .string("url");

        assertThat(url).startsWith("http://localhost/#enroll=");
    }

    private static String token() {
        return person.login().expect(200).json().string("token");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String raw(String request) {
        try (var socket = new Socket(
                InetAddress.getLoopbackAddress(), service.web().uri("").getPort())) {
            socket.setSoTimeout(Patience.MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
