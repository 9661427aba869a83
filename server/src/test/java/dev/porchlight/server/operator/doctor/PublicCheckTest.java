// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.operator.doctor.ClientCheck.Discovery;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
    void no_problem_is_found_on_a_service_with_a_trusted_certificate() throws Exception {
        ServerIdentity identity = identity("localhost", 90);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            List<Diagnosis> results = examine(environment, app.url(), trusting(identity));

            assertThat(wrong(results)).isEmpty();
            assertThat(results)
                    .extracting(Diagnosis::what)
                    .contains(
                            "the certificate is issued by a trusted authority",
                            "the security headers arrive",
                            "the session cookie arrives with its flags",
                            "/openapi.json is served",
                            "/.well-known/jwks.json is served",
                            "/.well-known/webauthn is served",
                            "/.well-known/passkey-endpoints is served",
                            "the service sees the scheme https",
                            "the service sees the requested host");
        }
    }

    @Test
    void an_untrusted_certificate_is_reported_and_the_token_not_sent() throws Exception {
        Map<String, String> environment = tls(identity("localhost", 90));
        try (App app = start(environment)) {
            List<Diagnosis> results = examine(environment, app.url(), Doctor.trustOfTheJdk());

            assertProblem(results, "is not issued by a trusted authority", "certbot certonly -d localhost");
            assertThat(results)
                    .contains(Diagnosis.skipped("the proxy's request headers: checked only on a trusted server"));
        }
    }

    @Test
    void a_certificate_that_expires_soon_is_reported() throws Exception {
        ServerIdentity identity = identity("localhost", 5);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            assertProblem(
                    examine(environment, app.url(), trusting(identity)),
                    "the certificate of localhost expires within two weeks",
                    "certbot renew");
        }
    }

    @Test
    void a_certificate_of_another_host_is_reported() throws Exception {
        ServerIdentity identity = identity("elsewhere.example.com", 90);
        Map<String, String> environment = tls(identity);
        try (App app = start(environment)) {
            assertProblem(
                    examine(environment, app.url(), trusting(identity)),
                    "is for [elsewhere.example.com], not for localhost",
                    "certbot certonly -d localhost");
        }
    }

    @Test
    void a_url_that_is_not_the_origin_is_reported() throws Exception {
        Map<String, String> environment = plain();
        environment.put("RP_ORIGIN", "http://localhost:1");
        try (App app = start(environment)) {
            assertProblem(
                    examine(environment, app.url(), Doctor.trustOfTheJdk()),
                    "have the origin " + app.url() + ", but RP_ORIGIN is http://localhost:1",
                    "export RP_ORIGIN=" + app.url() + " RP_ID=localhost");
        }
    }

    @Test
    void clients_are_compared_with_the_discovery_document() throws Exception {
        Map<String, String> environment = plain();
        try (App app = start(environment)) {
            var request = HttpRequest.newBuilder(URI.create(app.url() + "/admin/clients"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"clientId\":\"wiki\",\"redirectUris\":[\"https://wiki.example/\"]}"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(201);

            environment.put("RP_ORIGIN", app.url());
            assertThat(examine(environment, app.url(), Doctor.trustOfTheJdk()))
                    .extracting(Diagnosis::what)
                    .contains(
                            "OpenID Connect is on; clients: 1",
                            "the application wiki matches the discovery document",
                            "/.well-known/openid-configuration is served",
                            "/oauth2/authorize is served");

            plant(
                    "a",
                    "'redirectUris':['http://wiki.example/','https://*.wiki.example/','" + app.url()
                            + "/back'],'idTokenAlgorithm':'HS256','refreshSeconds':10");
            plant(
                    "b",
                    "'redirectUris':['https://wiki.porchlght.localhost/'],'groups':['staff','ghosts'],"
                            + "'backChannelLogoutUri':'http://localhost:" + closedPort() + "/'");
            plant(
                    "c",
                    "'redirectUris':['https://wiki.example/'],'jwks':{'keys':[{'kty':'OKP','crv':'X25519','x':'"
                            + "A".repeat(43) + "'}]}");
            plant("d", "'redirectUris':['https://wiki.example/'],'profile':'basic'");
            execute("INSERT INTO porchlight_group_member (group_name, user_id) VALUES ('staff', 'ada')");
            List<Diagnosis> results = examine(environment, app.url(), Doctor.trustOfTheJdk());

            assertProblem(results, "Redirect URI http://wiki.example/ must be https", "./porchlight clients change a");
            assertProblem(results, "https://*.wiki.example/ must be a URI", "./porchlight clients change a");
            assertProblem(results, "is on the host of this service", "./porchlight clients change a --redirect-uri");
            assertProblem(
                    results,
                    "a needs ID tokens with HS256, but discovery offers [ES256, RS256]",
                    "./porchlight clients change a --id-token-algorithm ES256");
            assertProblem(results, "The session lifetime must be between", "./porchlight clients change a");
            assertProblem(
                    results, "groups of the application b have no members: ghosts", "./porchlight groups add ghosts");
            assertProblem(results, "the application b gets no logout notices", "curl -v http://localhost:");
            assertProblem(results, "one for signatures with ES256, PS256 or RS256", "./porchlight clients change c");
            assertThat(results)
                    .filteredOn(result -> result.state() == Diagnosis.State.WARNING)
                    .extracting(Diagnosis::what)
                    .anyMatch(what -> what.startsWith("the application d has the profile basic, which is weaker"))
                    .noneMatch(what -> what.contains("client wiki"));
            assertThat(results)
                    .extracting(Diagnosis::what)
                    .contains("the application wiki matches the discovery document")
                    .doesNotContain("the application a matches the discovery document");

            assertThat(new Doctor(environment, InstantSource.system(), Doctor.trustOfTheJdk(), Doctor.TIMEOUT)
                            .examine(null, "wiki"))
                    .extracting(Diagnosis::what)
                    .anyMatch(what -> what.endsWith("/.well-known/jwks.json has a key for RS256"))
                    .anyMatch(what ->
                            what.startsWith("a sign-in leads to the sign-in page and back to https://wiki.example/"))
                    .contains("ID tokens are signed with RS256, as libraries expect")
                    .anyMatch(what -> what.startsWith("the library must send PKCE with S256"))
                    .contains(
                            "the library authenticates at /oauth2/token with client_secret_basic or client_secret_post")
                    .noneMatch(what -> what.contains("client a") || what.contains("port"));
            String withKeys = "'redirectUris':['https://wiki.example/'],'idTokenAlgorithm':'ES256',"
                    + "'jwks':{'keys':[{'kty':'EC','crv':'P-256','x':'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',"
                    + "'y':'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'}]}";
            plant("e", withKeys);
            List<Diagnosis> other = new Doctor(
                            environment, InstantSource.system(), Doctor.trustOfTheJdk(), Doctor.TIMEOUT)
                    .examine(null, "e");
            assertThat(other)
                    .extracting(Diagnosis::what)
                    .contains("its assertions must expire within five minutes")
                    .anyMatch(what -> what.startsWith("ID tokens are signed with ES256. Spring Security"));
            plant("f", withKeys + ",'profile':'fapi2'");
            assertThat(new Doctor(environment, InstantSource.system(), Doctor.trustOfTheJdk(), Doctor.TIMEOUT)
                            .examine(null, "f"))
                    .extracting(Diagnosis::what)
                    .contains(
                            "ID tokens are signed with ES256, as libraries expect",
                            "the library must push its authorization requests to /oauth2/par (RFC 9126)",
                            "the library must bind its tokens to a key with DPoP (RFC 9449)")
                    .anyMatch(what -> what.startsWith("the library must send PKCE") && what.endsWith("cannot be used"));
            assertProblem(
                    new Doctor(environment, InstantSource.system(), Doctor.trustOfTheJdk(), Doctor.TIMEOUT)
                            .examine(null, "unknown"),
                    "there is no application unknown",
                    "./porchlight clients list");

            environment.put("RP_ID", "login.porchlight.localhost");
            environment.put("RP_ORIGIN", "http://login.porchlight.localhost:" + app.port());
            environment.put("SESSION_SECRET", UUID.randomUUID().toString());
            List<Diagnosis> elsewhere = examine(environment, app.url(), Doctor.trustOfTheJdk());
            assertProblem(
                    elsewhere,
                    "discovery names the issuer " + app.url() + ", but RP_ORIGIN is http://login.porchlight",
                    "export RP_ORIGIN=http://login.porchlight.localhost");
            assertProblem(elsewhere, "similar to login.porchlight.localhost", "./porchlight clients change b");
        }
    }

    @Test
    void a_client_whose_method_is_not_offered_is_reported() throws Exception {
        var client = new Client("wiki", "Wiki", "hash", ClientSettings.of(List.of("https://wiki.example/")), 0, 0);
        Examination examination = examination("http://localhost");

        new Discovery(List.of("ES256"), List.of("private_key_jwt", "none")).check(client, examination);

        assertProblem(
                examination.results(),
                "wiki authenticates with client_secret_basic or client_secret_post, but discovery offers",
                "./porchlight clients remove wiki");
    }

    @Test
    void a_page_in_the_place_of_the_discovery_document_is_reported() throws Exception {
        try (Stranger proxy = new Stranger(200, "");
                Stranger other = new Stranger(404, "")) {
            Examination page = examination(proxy.url());
            assertThat(Discovery.read(page)).isNull();
            assertProblem(page.results(), "is not a discovery document", "curl -i " + proxy.url());
            Examination nothing = examination(other.url());
            assertThat(Discovery.read(nothing)).isNull();
            assertProblem(
                    nothing.results(), "responds with 404, although clients are registered", "./porchlight serve");
        }
    }

    @Test
    void a_url_where_no_service_listens_is_reported() throws Exception {
        String url = "http://localhost:" + closedPort();

        List<Diagnosis> results = examine(plain(), url, Doctor.trustOfTheJdk());

        assertProblem(results, "no service listens at " + url, "./porchlight serve");
        assertThat(results).noneMatch(result -> result.fix().contains("RP_ORIGIN"));
    }

    @Test
    void everything_that_a_proxy_removes_is_reported() throws Exception {
        Stranger proxy = new Stranger(200, "");
        try (proxy) {
            List<Diagnosis> results = examine(plain(), proxy.url(), Doctor.trustOfTheJdk());

            assertProblem(results, "the header X-Content-Type-Options", "proxy_pass_header X-Content-Type-Options;");
            assertProblem(results, "the header Content-Security-Policy", "proxy_pass_header Content-Security-Policy;");
            assertProblem(results, "the session cookie does not arrive", "proxy_pass_header Set-Cookie;");
            assertProblem(results, "/openapi.json is not from this service", "location /openapi.json {");
            assertProblem(
                    results, "/.well-known/jwks.json is not from this service", "location /.well-known/jwks.json {");
            assertProblem(results, "/.well-known/webauthn is not", "location /.well-known/webauthn {");
            assertProblem(
                    results, "/.well-known/passkey-endpoints is not", "location /.well-known/passkey-endpoints {");
        }
    }

    @Test
    void a_proxy_that_does_not_forward_the_scheme_is_reported() throws Exception {
        ServerIdentity identity = identity("localhost", 90);
        Map<String, String> environment = plain();
        environment.put("TRUSTED_PROXIES", "127.0.0.1,::1");
        environment.put("ADMIN_TOKEN", UUID.randomUUID().toString());
        try (TlsProxy proxy = new TlsProxy(identity)) {
            environment.put("RP_ORIGIN", proxy.url());
            try (App app = start(environment)) {
                proxy.forwardTo(app.port(), "");
                assertProblem(
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
                        .contains(Diagnosis.skipped("the proxy's request headers: checked only with ADMIN_TOKEN set"));
            }
        }
    }

    @Test
    void the_token_is_checked_at_the_management_port() throws Exception {
        ServerIdentity identity = identity("localhost", 90);
        Map<String, String> environment = tls(identity);
        environment.put("ADMIN_TOKEN", UUID.randomUUID().toString());
        environment.put("MANAGEMENT_PORT", plain().get("PORT"));
        try (App app = start(environment)) {
            List<Diagnosis> results = examine(environment, app.url(), trusting(identity));

            assertThat(wrong(results)).isEmpty();
            assertThat(results)
                    .extracting(Diagnosis::what)
                    .contains("the management port at "
                            + Config.read(environment).ownAddress() + " accepts this ADMIN_TOKEN");

            environment.put("ADMIN_TOKEN", UUID.randomUUID().toString());
            assertProblem(
                    examine(environment, app.url(), trusting(identity)),
                    environment.get("MANAGEMENT_PORT") + " does not accept this ADMIN_TOKEN (status 401)",
                    "export ADMIN_TOKEN=TOKEN");
        }
    }

    @Test
    void http_without_a_redirect_to_https_is_reported() throws Exception {
        try (Stranger good = new Stranger(308, "https://localhost/");
                Stranger bad = new Stranger(200, "")) {
            assertThat(redirect(good.url())).extracting(Diagnosis::state).containsExactly(Diagnosis.State.OK);
            assertProblem(
                    redirect(bad.url()),
                    "responds with 200 instead of redirecting to https",
                    "return 308 https://$host$request_uri;");
        }
        assertThat(ProxyCheck.plain(URI.create("https://example.com"))).hasToString("http://example.com/");
    }

    private List<Diagnosis> redirect(String url) throws Exception {
        Examination examination = examination(url);
        new ProxyCheck(examination, URI.create(url), new HttpProbe(Doctor.TIMEOUT))
                .checkRedirect(URI.create(url + "/"));
        return examination.results();
    }

    private Examination examination(String url) throws Exception {
        return new Examination(
                Config.read(plain()),
                URI.create(url),
                null,
                InstantSource.system(),
                Doctor.trustOfTheJdk(),
                Doctor.TIMEOUT);
    }

    /** Stores a client that no command would accept. */
    private void plant(String id, String settings) throws SQLException {
        execute("INSERT INTO porchlight_client (client_id, name, settings, generation, created_at) VALUES ('" + id
                + "', 'Wiki', '{" + settings.replace("'", "\"") + "}', 0, 0)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/porchlight.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket closed = new ServerSocket(0)) {
            return closed.getLocalPort();
        }
    }

    private List<Diagnosis> examine(Map<String, String> environment, String url, X509ExtendedTrustManager trust) {
        Map<String, String> variables = new HashMap<>(environment);
        return new Doctor(variables, InstantSource.system(), trust, Doctor.TIMEOUT).examine(URI.create(url), null);
    }

    private static List<Diagnosis> wrong(List<Diagnosis> results) {
        return results.stream()
                .filter(result -> result.state() == Diagnosis.State.PROBLEM)
                .toList();
    }

    private static void assertProblem(List<Diagnosis> results, String what, String fix) {
        assertThat(wrong(results)).anySatisfy(result -> {
            assertThat(result.what()).contains(what);
            assertThat(result.fix()).startsWith(fix);
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
        return App.start(
                Config.read(Patience.variables(environment)),
                LogWriter.to(OutputStream.nullOutputStream()),
                false,
                routes -> {});
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

    /** A server with a fixed response. */
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
