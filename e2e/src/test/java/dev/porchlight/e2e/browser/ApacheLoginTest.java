// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.e2e.Requirements;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in to an application behind Apache with Debian's mod_auth_openidc. */
class ApacheLoginTest {
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    private static Site site;
    private static TokenProxy proxy;
    private static HttpServer application;
    private static RelyingParty apache;
    private static String origin;

    @RegisterExtension
    final Browser browser = new Browser();

    private ClientFaults faults;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        String program = Requirements.program("apache2");
        Requirements.file(MODULES.resolve("mod_auth_openidc.so"));
        // Access tokens are refreshed a minute before they expire, so with each request here.
        site = Site.start("TOKEN_TTL_SECONDS", "60");
        proxy = TokenProxy.start(site);
        application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        application.createContext("/", exchange -> {
            var headers = exchange.getRequestHeaders();
            byte[] page = ("user " + headers.getFirst("X-Remote-User") + "\ngroups "
                            + headers.getFirst("OIDC_CLAIM_groups") + "\ntoken "
                            + headers.getFirst("OIDC_access_token"))
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        application.start();
        int port = Ports.free();
        origin = "http://127.0.0.1:" + port;
        String secret = OpenIdPage.register(site, "apache", "http://localhost", origin);
        Path file = Files.writeString(directory.resolve("apache.conf"), configuration(directory, port, secret));
        apache = RelyingParty.start(directory, port, Map.of(), program, "-DFOREGROUND", "-f", file.toString());
    }

    private static String configuration(Path directory, int port, String secret) throws IOException {
        String modules = List.of(
                        "mpm_event", "authn_core", "authz_core", "authz_user", "proxy", "proxy_http", "auth_openidc")
                .stream()
                .map(name -> "LoadModule " + name + "_module " + MODULES.resolve("mod_" + name + ".so") + "\n")
                .collect(Collectors.joining());
        return modules
                + """
                ServerRoot DIRECTORY
                DefaultRuntimeDir DIRECTORY
                PidFile apache.pid
                ErrorLog /dev/stderr
                LogLevel auth_openidc:debug
                User www-data
                Group www-data
                ServerName 127.0.0.1
                Listen 127.0.0.1:PORT
                StartServers 1
                ThreadsPerChild 5
                MaxRequestWorkers 5

                OIDCAuthNHeader X-Remote-User
                <Location "/">
                  ProxyPass http://127.0.0.1:APPLICATION/
                </Location>
                <Location "/callback">
                  ProxyPass !
                </Location>
                """.replace("DIRECTORY", directory.toString()).replace("PORT", Integer.toString(port)).replace(
                        "APPLICATION", Integer.toString(application.getAddress().getPort()))
                + OpenIdPage.apache()
                        .replace("http://localhost:8080/", proxy.origin() + "/")
                        .replace("http://localhost/", origin + "/")
                        .replace("\"...\"", secret);
    }

    @AfterAll
    static void stop() {
        if (apache != null) {
            apache.close();
        }
        if (site != null) {
            application.stop(0);
            proxy.close();
            site.close();
        }
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
        faults = new ClientFaults(site, browser, "apache", origin + "/callback");
    }

    @Test
    void a_user_signs_in_with_a_passkey_is_refreshed_and_signs_out() {
        browser.openAt(origin + "/");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        browser.awaitText("user ada");
        assertThat(browser.address()).isEqualTo(origin + "/");
        String first = browser.text();

        browser.openAt(origin + "/");
        assertThat(browser.text()).contains("user ada").isNotEqualTo(first);

        browser.openAt(origin + "/callback?logout=" + URLEncoder.encode(origin + "/", UTF_8));
        browser.awaitText("Sign in with a passkey");
        assertThat(browser.address()).startsWith(site.origin());
        browser.press("Sign in with a passkey");
        browser.awaitText("user ada");
    }

    @Test
    void a_sign_out_at_the_service_ends_the_session_at_apache() {
        browser.signUp("bob");
        browser.openAt(origin + "/");
        browser.awaitText("user bob");

        browser.open("/account");
        browser.signOut();
        browser.eventually(() -> {
            browser.openAt(origin + "/");
            assertThat(browser.text()).contains("Sign in with a passkey");
        });
    }

    @Test
    void a_group_opens_a_part_of_the_site() {
        browser.signUp("cleo");
        site.runCommand("groups", "add", "staff", "cleo");
        browser.openAt(origin + "/staff/");
        browser.awaitText("groups staff");
    }

    @Test
    void a_part_of_the_site_is_closed_to_users_outside_its_group() {
        browser.console().expect(origin + "/staff/", "401");
        browser.signUp("dora");
        browser.openAt(origin + "/staff/");
        browser.awaitText("Unauthorized");
        assertThat(browser.text()).doesNotContain("dora");
    }

    @Test
    void a_wrong_client_is_refused() {
        browser.signUp("eve");
        browser.console().expect(site.origin() + "/oauth2/authorize", "400");
        faults.whileUnregistered(() -> browser.openAt(origin + "/"));
        browser.awaitText("The application isn’t set up correctly");
        faults.assertRefused("authorize unknown_client");

        faults.whileMoved(() -> browser.openAt(origin + "/"));
        browser.awaitText("The application isn’t set up correctly");
        faults.assertRefused("authorize redirect_uri_mismatch");

        faults.whileSecretIsWrong(() -> {
            signIn();
            browser.awaitText("Error in handling response type");
        });
        faults.assertRefused("token invalid_client");
        assertSignedOut();
    }

    @Test
    void an_expired_code_is_refused() {
        browser.signUp("finn");
        proxy.beforeCodes(() -> site.setClockAhead(Duration.ofSeconds(61)));
        faults.whileClockIsAhead(
                Duration.ZERO,
                () -> { // the proxy moves it, and this moves it back
                    signIn();
                    browser.awaitText("Error in handling response type");
                });
        proxy.beforeCodes(() -> {});
        faults.assertRefused("token invalid_code");
        assertSignedOut();
    }

    @Test
    void a_replayed_code_ends_the_sign_in() throws IOException {
        browser.signUp("gail");
        signIn();
        browser.awaitText("user gail");
        browser.openAt(faults.lastCallback(apache));
        browser.awaitText("user gail");
        assertThat(browser.address()).isEqualTo(origin + "/");
        faults.assertRefused(); // Apache does not redeem it again

        assertThat(proxy.replayCode().string("code")).isEqualTo("replayed_code");
        faults.assertRefused("token replayed_code");
        browser.openAt(origin + "/");
        browser.awaitText("Logged Out");
        faults.assertRefused("token invalid_refresh_token");
        assertSignedOut();
        browser.press("Continue");
        browser.awaitText("user gail");
    }

    @Test
    void a_stolen_refresh_token_ends_the_sign_in() throws IOException {
        browser.signUp("hana");
        signIn();
        browser.awaitText("user hana");
        String stolen = proxy.refresh(proxy.refreshToken()).string("refresh_token");
        faults.assertRefused();

        browser.openAt(origin + "/");
        browser.awaitText("Logged Out");
        faults.assertRefused("token reused_refresh_token");
        assertThat(proxy.refresh(stolen).string("code")).isEqualTo("invalid_refresh_token");
        faults.assertRefused("token invalid_refresh_token");
        assertSignedOut();
        browser.press("Continue");
        browser.awaitText("user hana");
    }

    @Test
    void a_sign_in_succeeds_within_the_clock_skew_only() throws IOException {
        browser.signUp("ivan");
        for (int ahead : List.of(30, -30)) {
            faults.whileClockIsAhead(Duration.ofSeconds(ahead), () -> {
                signIn();
                browser.awaitText("user ivan");
            });
            browser.driver().manage().deleteCookieNamed("mod_auth_openidc_session");
        }
        for (int ahead : List.of(660, -120)) {
            faults.whileClockIsAhead(Duration.ofSeconds(ahead), () -> {
                signIn();
                browser.awaitText("Error in handling response type");
            });
        }
        faults.assertRefused(); // Apache refuses the tokens
        assertThat(apache.log()).contains("\"iat\" validation failure", "\"exp\" validation failure");
    }

    private void signIn() {
        browser.openAt(origin + "/");
        browser.continueIfAsked();
    }

    /** Apache sends the user to the service, where they are still signed in. */
    private void assertSignedOut() {
        browser.openAt(origin + "/");
        browser.awaitText("You’re signed in as");
        assertThat(browser.address()).startsWith(site.origin());
    }
}
