// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in to the example application with Spring Security's {@code oauth2Login}. */
@Timeout(120)
class SpringLoginTest {
    private static final Path JAR = Path.of(
            System.getProperty("porchlight.root"),
            "examples/spring-oauth2-login/target/oauth2-login-0.1.0-SNAPSHOT.jar");

    private static Site site;
    private static RelyingParty application;
    private static String origin;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        Requirements.check(Files.exists(JAR), "this build has not packaged " + JAR);
        // Spring Security refreshes access tokens a minute before they expire, so with each request here.
        site = Site.start("TOKEN_TTL_SECONDS", "60");
        int port = Ports.free();
        origin = "http://localhost:" + port;
        String secret = OpenIdPage.register(site, "spring", "http://localhost:8081", origin);
        application = RelyingParty.start(
                directory,
                port,
                Map.of("CLIENT_SECRET", secret, "SERVER_PORT", Integer.toString(port)),
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                JAR.toString(),
                "--spring.security.oauth2.client.provider.porchlight.issuer-uri=" + site.origin());
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        if (site != null) {
            site.close();
        }
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
    }

    @Test
    void a_user_signs_up_is_refreshed_and_signs_out() {
        browser.openAt(origin + "/");
        browser.press("Sign in");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        browser.awaitText("Hello ada");
        String first = browser.text();

        browser.eventually(() -> {
            browser.openAt(origin + "/hello");
            assertThat(browser.text()).contains("Hello ada").isNotEqualTo(first); // another time of expiry
        });

        browser.press("Sign out");
        browser.awaitText("Spring Boot with Porchlight");
        assertThat(browser.address()).isEqualTo(origin + "/");
        browser.press("Sign in");
        browser.press("Sign in with a passkey");
        browser.awaitText("Hello ada");
    }

    @Test
    void a_sign_out_at_the_service_ends_the_session_at_the_application() {
        browser.signUp("bob");
        site.runCommand("groups", "add", "staff", "bob");
        browser.openAt(origin + "/hello");
        browser.press("Continue");
        browser.awaitText("Hello bob");
        assertThat(browser.text()).contains("[staff]");

        browser.open("/account");
        browser.signOut();
        browser.eventually(() -> {
            browser.openAt(origin + "/hello");
            assertThat(browser.text()).contains("Sign in with a passkey");
        });
    }
}
