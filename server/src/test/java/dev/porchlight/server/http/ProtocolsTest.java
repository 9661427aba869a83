// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/1.1 and HTTP/2 with TLS, HTTP/1.1 without. */
@Tag("slow")
class ProtocolsTest {
    private final Instant now = Instant.now();
    private final ServerIdentity identity =
            ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)));

    @TempDir
    Path directory;

    @Test
    void http_2_is_used_over_tls_if_the_client_selects_it() throws Exception {
        try (App app = start(tls())) {
            var response = get(trusting(Version.HTTP_2), "https", app, "/seen");

            assertThat(response.version()).isEqualTo(Version.HTTP_2);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("https 2.0");
            assertThat(response.headers().firstValue("Strict-Transport-Security"))
                    .isPresent();
        }
    }

    @Test
    void http_1_1_is_used_over_tls_if_the_client_supports_nothing_else() throws Exception {
        try (App app = start(tls())) {
            var response = get(trusting(Version.HTTP_1_1), "https", app, "/seen");

            assertThat(response.version()).isEqualTo(Version.HTTP_1_1);
            assertThat(response.body()).isEqualTo("https 1.1");
        }
    }

    @Test
    void the_configured_certificate_is_presented_and_untrusting_clients_refuse_it() throws Exception {
        try (App app = start(tls())) {
            assertThatThrownBy(() -> get(HttpClient.newHttpClient(), "https", app, "/seen"))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void tls_1_2_has_the_suites_of_bcp_195_only() throws Exception {
        String signature = identity.certificate().getPublicKey().getAlgorithm().equals("EC") ? "ECDSA" : "RSA";
        try (App app = start(tls())) {
            SSLSocketFactory sockets = trusting().getSocketFactory();
            List<String> accepted = Stream.of(sockets.getSupportedCipherSuites())
                    .filter(suite -> suite.contains("_WITH_") && accepts(app, sockets, suite))
                    .toList();

            assertThat(accepted)
                    .containsExactlyInAnyOrder(
                            "TLS_ECDHE_" + signature + "_WITH_AES_128_GCM_SHA256",
                            "TLS_ECDHE_" + signature + "_WITH_AES_256_GCM_SHA384");
        }
    }

    private static boolean accepts(App app, SSLSocketFactory sockets, String suite) {
        try (SSLSocket socket = (SSLSocket) sockets.createSocket("localhost", app.port())) {
            socket.setSoTimeout(Patience.MILLIS);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void an_upgrade_to_http_2_without_tls_is_ignored() throws Exception {
        try (App app = start(Map.of())) {
            String response = exchange(app, """
                    GET /seen HTTP/1.1\r
                    Host: localhost\r
                    Connection: Upgrade, HTTP2-Settings, close\r
                    Upgrade: h2c\r
                    HTTP2-Settings: AAMAAABkAAQAAP__\r
                    \r
                    """);

            assertThat(response).startsWith("HTTP/1.1 200 ").endsWith("http 1.1");
        }
    }

    @Test
    void http_2_with_prior_knowledge_without_tls_is_refused() throws Exception {
        try (App app = start(Map.of())) {
            assertThat(exchange(app, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        }
    }

    private static String exchange(App app, String request) throws IOException {
        try (Socket socket = new Socket("localhost", app.port())) {
            socket.setSoTimeout(Patience.MILLIS);
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    @Test
    void http_1_1_works_without_tls() throws Exception {
        try (App app = start(Map.of())) {
            HttpClient client =
                    HttpClient.newBuilder().version(Version.HTTP_1_1).build();

            assertThat(get(client, "http", app, "/seen").body()).isEqualTo("http 1.1");
        }
    }

    @Test
    void one_http_2_connection_serves_many_concurrent_requests() throws Exception {
        try (App app = start(tls())) {
            HttpClient client = trusting(Version.HTTP_2);
            get(client, "https", app, "/seen");

            List<CompletableFuture<HttpResponse<String>>> responses = Stream.generate(() ->
                            client.sendAsync(request("https", app, "/seen"), HttpResponse.BodyHandlers.ofString()))
                    .limit(50)
                    .toList();

            assertThat(responses)
                    .allSatisfy(
                            response -> assertThat(response.join().statusCode()).isEqualTo(200));
        }
    }

    @Test
    void on_http_2_operators_routes_accept_the_services_own_origin_only() throws Exception {
        try (App app = start(tls())) {
            HttpClient client = trusting(Version.HTTP_2);
            String own = uri("https", app, "").toString();
            for (String origin : List.of(own, "https://evil.example")) {
                HttpRequest request = HttpRequest.newBuilder(uri("https", app, "/admin/enrollments"))
                        .header("Origin", origin)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"userId\":\"ada\"}"))
                        .build();

                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(origin.equals(own) ? 201 : 403);
            }
        }
    }

    @Test
    void headers_that_are_too_large_are_refused_on_http_2() throws Exception {
        try (App app = start(tls())) {
            HttpRequest request = HttpRequest.newBuilder(uri("https", app, "/seen"))
                    .header("X-Large", "x".repeat(20_000))
                    .build();
            HttpClient client = trusting(Version.HTTP_2);

            int status = statusOrZero(client, request);

            assertThat(status).as("431, or the connection closed").isIn(0, 431);
            assertThat(get(client, "https", app, "/seen").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void the_scheme_from_a_trusted_proxy_is_used() throws Exception {
        assertThat(seenThrough("127.0.0.1", "https")).isEqualTo("https 1.1");
    }

    @Test
    void the_last_of_several_forwarded_schemes_is_used() throws Exception {
        assertThat(seenThrough("127.0.0.1", "https, http")).isEqualTo("http 1.1");
    }

    @Test
    void the_scheme_from_an_untrusted_peer_is_ignored() throws Exception {
        assertThat(seenThrough("10.0.0.0/8", "https")).isEqualTo("http 1.1");
    }

    @Test
    void an_invalid_forwarded_scheme_is_ignored() throws Exception {
        assertThat(seenThrough("127.0.0.1", "gopher")).isEqualTo("http 1.1");
    }

    private static int statusOrZero(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException closed) {
            return 0;
        }
    }

    private String seenThrough(String trusted, String proto) throws Exception {
        try (App app = start(Map.of("TRUSTED_PROXIES", trusted))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/seen"))
                    .header("X-Forwarded-Proto", proto)
                    .build();
            HttpClient client =
                    HttpClient.newBuilder().version(Version.HTTP_1_1).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private Map<String, String> tls() throws IOException {
        Path certificate = Files.writeString(directory.resolve("certificate.pem"), identity.certificatePem());
        Path key = Files.writeString(directory.resolve("key.pem"), identity.keyPem());
        return Map.of("TLS_CERTIFICATE", certificate.toString(), "TLS_KEY", key.toString());
    }

    private App start(Map<String, String> variables) throws Exception {
        Map<String, String> all = new HashMap<>(variables);
        all.put("PORT", "0");
        all.put("DATA_DIR", directory.resolve("data").toString());
        Config config = Config.read(Patience.variables(all));
        LogWriter logs = LogWriter.to(OutputStream.nullOutputStream());
        return App.start(
                config,
                logs,
                false,
                routes -> routes.get(
                        "/seen",
                        Access.PUBLIC,
                        exchange -> Response.of(
                                200,
                                "text/plain",
                                (exchange.scheme() + ' ' + exchange.protocolVersion()).getBytes(US_ASCII))));
    }

    private HttpClient trusting(Version version) throws Exception {
        return HttpClient.newBuilder().sslContext(trusting()).version(version).build();
    }

    private SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", identity.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static HttpResponse<String> get(HttpClient client, String scheme, App app, String path) throws Exception {
        return client.send(request(scheme, app, path), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(String scheme, App app, String path) {
        return HttpRequest.newBuilder(uri(scheme, app, path)).build();
    }

    private static URI uri(String scheme, App app, String path) {
        return URI.create(scheme + "://localhost:" + app.port() + path);
    }
}
