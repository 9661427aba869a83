// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sign-in to applications with what {@code clients add} prints, and the defaults of their libraries. */
class RecipeLoginTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path SPRING_BOOT_3 =
            ROOT.resolve("examples/spring-oauth2-login-3/target/oauth2-login-3-1.0.0.jar");
    private static final Path AUTHLIB =
            ROOT.resolve("e2e/src/test/resources/dev/porchlight/e2e/browser/authlib/relying-party.py");

    /** Debian's, which has its packages. */
    private static final String PYTHON = "/usr/bin/python3";

    private static Site site;

    @TempDir
    Path directory;

    @RegisterExtension
    final Browser browser = new Browser();

    private final int port = Ports.free();
    private final String origin = "http://localhost:" + port;

    @BeforeAll
    static void start() throws IOException {
        site = Site.start(Map.of());
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
    }

    /** It sends no PKCE, so the client has the profile basic. */
    @Test
    void a_user_signs_in_to_spring_boot_3_5_and_out() throws IOException {
        Requirements.check(Files.exists(SPRING_BOOT_3), "this build has not packaged " + SPRING_BOOT_3);
        String printed = addClient("spring", "--recipe", "spring-boot", "--url", origin);
        Files.write( // replaces the settings in the jar
                directory.resolve("application.properties"),
                printed.lines().filter(line -> line.startsWith("spring.")).toList());
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        try (var application = start(
                Map.of("SERVER_PORT", Integer.toString(port)),
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                SPRING_BOOT_3.toString())) {
            assertThat(application.log()).contains("Spring Boot ::", "(v3.5.");
            browser.openAt(origin + "/hello");
            signUp("ada");
            browser.awaitText("Hello ada");

            browser.press("Sign out");
            browser.awaitText("Spring Boot with Porchlight");
        }
    }

    /** It sends no PKCE, so the client has the profile basic. */
    @Test
    void a_user_signs_in_to_an_application_with_authlib() throws Exception {
        Requirements.file(Path.of(PYTHON));
        Process imported = new ProcessBuilder(PYTHON, "-c", "import authlib, flask, requests")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Requirements.check(
                imported.waitFor() == 0, "python3-authlib, python3-flask or python3-requests is not installed");
        String secret = OpenIdPage.secret(addClient("authlib", "--redirect-uri", origin + "/callback"));
        try (var application =
                start(Map.of(), PYTHON, AUTHLIB.toString(), site.origin(), Integer.toString(port), "authlib", secret)) {
            browser.openAt(origin + "/");
            signUp("bob");
            browser.awaitText("user bob");
            assertThat(application.log()).doesNotContain("Traceback");
        }
    }

    private static String addClient(String id, String... options) {
        List<String> command = new ArrayList<>(List.of("clients", "add", id, "--profile", "basic"));
        command.addAll(List.of(options));
        return site.runCommand(command.toArray(String[]::new));
    }

    private RelyingParty start(Map<String, String> environment, String... command) throws IOException {
        return RelyingParty.start(directory, port, environment, command);
    }

    private void signUp(String user) {
        browser.openSignUp();
        browser.type("User name", user);
        browser.press("Create account");
    }
}
