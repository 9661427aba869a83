// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in to the example application with Spring Security's {@code oauth2Login}. */
class SpringLoginTest {
    private static final Path JAR = Path.of(
            System.getProperty("porchlight.root"), "examples/spring-oauth2-login/target/oauth2-login-1.0.0.jar");

    private static Site site;
    private static TokenProxy proxy;
    private static RelyingParty application;
    private static String origin;

    @RegisterExtension
    final Browser browser = new Browser();

    private ClientFaults faults;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        Requirements.check(Files.exists(JAR), "this build has not packaged " + JAR);
        // Spring Security refreshes access tokens a minute before they expire, so with each request here.
        site = Site.start("TOKEN_TTL_SECONDS", "60");
        proxy = TokenProxy.start(site);
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
                "--spring.security.oauth2.client.provider.porchlight.issuer-uri=" + site.origin(),
                "--spring.security.oauth2.client.provider.porchlight.token-uri=" + proxy.uri(),
                "--logging.level.org.springframework.security=TRACE"); // with codes, and why tokens are refused
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        if (site != null) {
            proxy.close();
            site.close();
        }
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
        faults = new ClientFaults(site, browser, "spring", origin + "/login/oauth2/code/porchlight");
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
        site.runCommand(
                "users", "set", "bob", "--name", "Bob Builder", "--email", "bob@example.com", "--email-verified");
        browser.openAt(origin + "/hello");
        browser.awaitText("Hello Bob Builder");
        assertThat(browser.text()).contains("user name: bob.", "email address: bob@example.com.", "[staff]");

        browser.open("/account");
        browser.signOut();
        browser.eventually(() -> {
            browser.openAt(origin + "/hello");
            assertThat(browser.text()).contains("Sign in with a passkey");
        });
    }

    @Test
    void a_wrong_client_is_refused() {
        browser.signUp("cleo");
        browser.console().expect(site.origin() + "/oauth2/authorize", "400");
        faults.whileUnregistered(() -> browser.openAt(origin + "/hello"));
        browser.awaitText("The application isn’t set up correctly");
        faults.assertRefused("authorize unknown_client");

        faults.whileMoved(() -> browser.openAt(origin + "/hello"));
        browser.awaitText("The application isn’t set up correctly");
        faults.assertRefused("authorize redirect_uri_mismatch");

        faults.whileSecretIsWrong(() -> {
            signIn();
            browser.awaitText("Invalid credentials");
        });
        faults.assertRefused("token invalid_client");
        assertSignedOut();
    }

    @Test
    void an_expired_code_is_refused() {
        browser.signUp("dora");
        proxy.beforeCodes(() -> site.setClockAhead(Duration.ofSeconds(61)));
        faults.whileClockIsAhead(
                Duration.ZERO,
                () -> { // the proxy moves it, and this moves it back
                    signIn();
                    browser.awaitText("Invalid credentials");
                });
        proxy.beforeCodes(() -> {});
        faults.assertRefused("token invalid_code");
        assertSignedOut();
    }

    @Test
    void a_replayed_code_ends_the_sign_in() throws IOException {
        browser.signUp("eve");
        signIn();
        browser.awaitText("Hello eve");
        browser.openAt(faults.lastCallback(application));
        browser.awaitText("Invalid credentials"); // the application does not redeem it again
        browser.openAt(origin + "/hello");
        browser.awaitText("Hello eve");
        faults.assertRefused();

        assertThat(proxy.replayCode().string("code")).isEqualTo("replayed_code");
        faults.assertRefused("token replayed_code");
        assertSignedOut();
        faults.assertRefused("token invalid_refresh_token");
        browser.press("Continue");
        browser.awaitText("Hello eve");
    }

    @Test
    void a_stolen_refresh_token_ends_the_sign_in() throws IOException {
        browser.signUp("finn");
        signIn();
        browser.awaitText("Hello finn");
        String stolen = proxy.refresh(proxy.refreshToken()).string("refresh_token");
        faults.assertRefused();

        assertSignedOut();
        faults.assertRefused("token reused_refresh_token");
        assertThat(proxy.refresh(stolen).string("code")).isEqualTo("invalid_refresh_token");
        faults.assertRefused("token invalid_refresh_token");
        browser.press("Continue");
        browser.awaitText("Hello finn");
    }

    @Test
    void a_sign_in_succeeds_within_the_clock_skew_only() throws IOException {
        browser.signUp("gail");
        for (int ahead : List.of(30, -30)) {
            faults.whileClockIsAhead(Duration.ofSeconds(ahead), () -> {
                signIn();
                browser.awaitText("Hello gail");
            });
            browser.driver().manage().deleteCookieNamed("JSESSIONID");
        }
        for (int ahead : List.of(120, -180)) {
            faults.whileClockIsAhead(Duration.ofSeconds(ahead), () -> {
                signIn();
                browser.awaitText("Invalid credentials");
            });
        }
        faults.assertRefused(); // the application refuses the tokens
        assertThat(application.log()).contains("[invalid_id_token]");
    }

    private void signIn() {
        browser.openAt(origin + "/hello");
        browser.continueIfAsked();
    }

    /** The application sends the user to the service, where they are still signed in. */
    private void assertSignedOut() {
        browser.openAt(origin + "/hello");
        browser.awaitText("You’re signed in as");
        assertThat(browser.address()).startsWith(site.origin());
    }
}
