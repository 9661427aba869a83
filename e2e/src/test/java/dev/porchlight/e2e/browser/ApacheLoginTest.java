// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.e2e.Requirements;
import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in to an application behind Apache with Debian's mod_auth_openidc. */
@Timeout(120)
class ApacheLoginTest {
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    private static Site site;
    private static HttpServer application;
    private static RelyingParty apache;
    private static String origin;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        String program = Requirements.program("apache2");
        Requirements.file(MODULES.resolve("mod_auth_openidc.so"));
        // Access tokens are refreshed a minute before they expire, so with each request here.
        site = Site.start("TOKEN_TTL_SECONDS", "60");
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
                        .replace("http://localhost:8080/", site.origin() + "/")
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
            site.close();
        }
    }

    @Test
    void a_user_signs_in_with_a_passkey_is_refreshed_and_signs_out() {
        browser.use(site);
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
        browser.use(site);
        browser.signUp("bob");
        browser.openAt(origin + "/");
        browser.press("Continue");
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
        browser.use(site);
        browser.signUp("cleo");
        site.runCommand("groups", "add", "staff", "cleo");
        browser.openAt(origin + "/staff/");
        browser.press("Continue");
        browser.awaitText("groups staff");
    }

    @Test
    void a_part_of_the_site_is_closed_to_users_outside_its_group() {
        browser.use(site);
        browser.console().expect(origin + "/staff/", "401");
        browser.signUp("dora");
        browser.openAt(origin + "/staff/");
        browser.press("Continue");
        browser.awaitText("Unauthorized");
        assertThat(browser.text()).doesNotContain("dora");
    }
}
