// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a service as people reach it, planted and found. */
@Tag("slow")
class PublicCheckTest {
    @TempDir
    Path directory;

    @Test
    void finds_nothing_on_a_service_with_a_certificate_that_is_trusted() throws Exception {
        ServerIdentity identity = identity("localhost", 90);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            List<Finding> findings = examine(environment, app.url(), trusting(identity));

            assertThat(wrong(findings)).isEmpty();
            assertThat(findings)
                    .extracting(Finding::what)
                    .contains(
                            "the certificate comes from an authority that is trusted",
                            "the security headers get through",
                            "the session cookie gets through with its flags",
                            "/openapi.json is there",
                            "/.well-known/jwks.json is there",
                            "/.well-known/webauthn is there",
                            "/.well-known/passkey-endpoints is there",
                            "the service sees that clients come over https",
                            "the service sees the host that clients ask for");
        }
    }

    @Test
    void names_a_certificate_that_nobody_trusts_and_then_shows_no_token() throws Exception {
        Map<String, String> environment = tls(identity("localhost", 90));
        try (App app = start(environment)) {
            List<Finding> findings = examine(environment, app.url(), Trust.ofTheJdk());

            assertWrong(findings, "comes from nobody that browsers trust", "certbot certonly -d localhost");
            assertThat(findings)
                    .contains(Finding.skipped("what the proxy forwards: asked only of a server that is trusted"));
        }
    }

    @Test
    void names_a_certificate_that_expires_soon() throws Exception {
        ServerIdentity identity = identity("localhost", 5);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            assertWrong(
                    examine(environment, app.url(), trusting(identity)),
                    "the certificate of localhost expires within two weeks",
                    "certbot renew");
        }
    }

    @Test
    void names_a_certificate_of_another_host() throws Exception {
        ServerIdentity identity = identity("elsewhere.example.com", 90);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            assertWrong(
                    examine(environment, app.url(), trusting(identity)),
                    "is for [elsewhere.example.com] and not for localhost",
                    "certbot certonly -d localhost");
        }
    }

    @Test
    void names_an_address_that_is_not_the_origin() throws Exception {
        Map<String, String> environment = plain();
        environment.put("RP_ORIGIN", "http://localhost:1");
        try (App app = start(environment)) {
            assertWrong(
                    examine(environment, app.url(), Trust.ofTheJdk()),
                    "have the origin " + app.url() + ", but RP_ORIGIN is http://localhost:1",
                    "export RP_ORIGIN=" + app.url() + " RP_ID=localhost");
        }
    }

    @Test
    void names_an_address_where_nobody_answers() throws Exception {
        String url;
        try (ServerSocket closed = new ServerSocket(0)) {
            url = "http://localhost:" + closed.getLocalPort();
        }

        List<Finding> findings = examine(plain(), url, Trust.ofTheJdk());

        assertWrong(findings, "no service accepts connections at " + url, "./porchlight serve");
        assertThat(findings).noneMatch(finding -> finding.fix().contains("RP_ORIGIN"));
    }

    @Test
    void names_all_that_does_not_get_through_a_proxy() throws Exception {
        Stranger proxy = new Stranger(200, "");
        try (proxy) {
            List<Finding> findings = examine(plain(), proxy.url(), Trust.ofTheJdk());

            assertWrong(findings, "the header X-Content-Type-Options", "proxy_pass_header X-Content-Type-Options;");
            assertWrong(findings, "the header Content-Security-Policy", "proxy_pass_header Content-Security-Policy;");
            assertWrong(findings, "the session cookie does not get through", "proxy_pass_header Set-Cookie;");
            assertWrong(findings, "/openapi.json is not this service's", "location /openapi.json {");
            assertWrong(findings, "/.well-known/jwks.json is not this service's", "location /.well-known/jwks.json {");
            assertWrong(findings, "/.well-known/webauthn is not", "location /.well-known/webauthn {");
            assertWrong(findings, "/.well-known/passkey-endpoints is not", "location /.well-known/passkey-endpoints {");
        }
    }

    @Test
    void names_a_proxy_that_does_not_say_that_clients_come_over_https() throws Exception {
        ServerIdentity identity = identity("localhost", 90);
        Map<String, String> environment = plain();
        environment.put("TRUSTED_PROXIES", "127.0.0.1,::1");
        environment.put("ADMIN_TOKEN", "an admin token for tests");
        try (TlsProxy proxy = new TlsProxy(identity)) {
            environment.put("RP_ORIGIN", proxy.url());
            try (App app = start(environment)) {
                proxy.forwardTo(app.port(), "");
                assertWrong(
                        examine(environment, proxy.url(), trusting(identity)),
                        "X-Forwarded-Proto is not set",
                        "export TRUSTED_PROXIES=127.0.0.1   # and in nginx: proxy_set_header X-Forwarded-Proto");

                proxy.forwardTo(app.port(), "https");
                assertThat(wrong(examine(environment, proxy.url(), trusting(identity))))
                        .isEmpty();
                environment.remove("ADMIN_TOKEN");
            }
            try (App local = start(environment)) {
                proxy.forwardTo(local.port(), "https");
                assertThat(examine(environment, proxy.url(), trusting(identity)))
                        .contains(Finding.skipped("what the proxy forwards: asked only with ADMIN_TOKEN set"));
            }
        }
    }

    @Test
    void tells_a_redirect_to_https_from_an_answer_in_the_clear() throws Exception {
        Probe probe = new Probe(Duration.ofSeconds(5));
        try (Stranger good = new Stranger(308, "https://localhost/");
                Stranger bad = new Stranger(200, "")) {
            assertThat(ProxyCheck.redirect(probe, URI.create(good.url() + "/")).state())
                    .isEqualTo(Finding.State.FINE);
            assertWrong(
                    List.of(ProxyCheck.redirect(probe, URI.create(bad.url() + "/"))),
                    "answers 200 instead of redirecting to https",
                    "return 308 https://$host$request_uri;");
        }
        assertThat(ProxyCheck.plain(URI.create("https://example.com"))).hasToString("http://example.com/");
    }

    private List<Finding> examine(Map<String, String> environment, String url, X509ExtendedTrustManager trust) {
        Map<String, String> variables = new HashMap<>(environment);
        return new Doctor(variables, InstantSource.system(), trust, Doctor.TIMEOUT).examine(URI.create(url));
    }

    private static List<Finding> wrong(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.state() == Finding.State.WRONG)
                .toList();
    }

    private static void assertWrong(List<Finding> findings, String what, String fix) {
        assertThat(wrong(findings)).anySatisfy(finding -> {
            assertThat(finding.what()).contains(what);
            assertThat(finding.fix()).startsWith(fix);
        });
    }

    private Map<String, String> plain() throws IOException {
        Map<String, String> environment = new HashMap<>();
        environment.put("DATA_DIR", directory.resolve("data").toString());
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("PORT", Integer.toString(free.getLocalPort()));
        }
        return environment;
    }

    private Map<String, String> tls(ServerIdentity identity) throws IOException {
        Map<String, String> environment = plain();
        environment.put("TLS_CERTIFICATE", file("certificate.pem", identity.certificatePem()));
        environment.put("TLS_KEY", file("key.pem", identity.keyPem()));
        return environment;
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    private static App start(Map<String, String> environment) throws Exception {
        return App.start(Config.read(environment), LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {});
    }

    private static ServerIdentity identity(String host, int days) {
        Instant now = Instant.now();
        return ServerIdentity.selfSigned(host, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(days)));
    }

    private static X509ExtendedTrustManager trusting(ServerIdentity identity) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", identity.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        return (X509ExtendedTrustManager) managers.getTrustManagers()[0];
    }

    /** A server that gives everybody the same answer. */
    private static final class Stranger implements AutoCloseable {
        private final HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);

        Stranger(int status, String location) throws IOException {
            server.createContext("/", exchange -> {
                if (!location.isEmpty()) {
                    exchange.getResponseHeaders().set("Location", location);
                }
                exchange.sendResponseHeaders(status, -1);
                exchange.close();
            });
            server.start();
        }

        String url() {
            return "http://localhost:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
