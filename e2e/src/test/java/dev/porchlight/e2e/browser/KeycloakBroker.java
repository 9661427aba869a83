// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.server.Ports;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/**
 * Keycloak as broker, with the commands that {@code clients add} prints and its defaults. Not in the suite, because Keycloak is
 * a download of 160 MB and takes minutes of CPU time: {@code ./mvnw -pl e2e test -Dtest=KeycloakBroker}.
 */
class KeycloakBroker {
    private static final Path PEERS = Path.of(System.getProperty("porchlight.root"), "lab/bench/peers");
    private static final Path BIN = PEERS.resolve("keycloak/target/keycloak/bin");
    private static final String REALM = "bench";

    @TempDir
    private static Path directory;

    private static Site site;
    private static String keycloak;
    private static RelyingParty application;

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void start() throws Exception {
        run(PEERS.resolve("build") + " keycloak");
        site = Site.start(Map.of());
        int port = Ports.free();
        keycloak = "http://localhost:" + port;
        application = RelyingParty.start(
                directory,
                port,
                Map.of("KC_BOOTSTRAP_ADMIN_USERNAME", "admin", "KC_BOOTSTRAP_ADMIN_PASSWORD", "password"),
                BIN.resolve("kc.sh").toString(),
                "start",
                "--optimized",
                "--import-realm",
                "--cache=local",
                "--http-enabled=true",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--hostname-strict=false",
                "--db-url=" + PostgresServer.freshDatabase(),
                "--db-username=" + PostgresServer.USER);
        run("kcadm.sh config credentials --server " + keycloak + " --realm master --user admin --password password");
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        site.close();
    }

    @BeforeEach
    void useSite() {
        browser.use(site);
    }

    @Test
    void a_user_signs_in_to_keycloak() throws Exception {
        String printed = site.runCommand(
                "clients", "add", "keycloak", "--recipe", "keycloak", "--url", keycloak + "/realms/" + REALM);
        run(printed.substring(printed.indexOf("kcadm.sh create")).replace("-r REALM", "-r " + REALM));
        String redirect = site.origin() + Site.EMPTY_PAGE;
        run("kcadm.sh create clients -r " + REALM + " -s clientId=page -s publicClient=true -s 'redirectUris=[\""
                + redirect + "\"]'");

        browser.openAt(keycloak + "/realms/" + REALM + "/protocol/openid-connect/auth?response_type=code&scope=openid"
                + "&client_id=page&redirect_uri=" + redirect);
        browser.press(By.id("social-porchlight"));
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        browser.awaitText("Update Account Information"); // Keycloak wants an email address and names
        fill("email", "ada@app.example");
        fill("firstName", "Ada");
        fill("lastName", "Lovelace");
        browser.press(By.cssSelector("[type=submit]"));

        browser.eventually(
                () -> assertThat(browser.address()).startsWith(redirect).contains("code="));
        assertThat(run("kcadm.sh get users -r " + REALM + " -q username=ada")).contains("\"ada@app.example\"");
    }

    private void fill(String id, String value) {
        browser.press(By.id(id));
        browser.keys(value);
    }

    /** Runs a command of Keycloak and returns its output. */
    private static String run(String command) throws IOException, InterruptedException {
        Path log = Files.createTempFile(directory, "command", ".log");
        ProcessBuilder builder = new ProcessBuilder("sh", "-ec", command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PATH", BIN + ":" + environment.get("PATH"));
        environment.put("KC_OPTS", "-Duser.home=" + directory); // for the credentials of kcadm.sh
        int status = builder.start().waitFor();
        String output = Files.readString(log).lines().collect(Collectors.joining("\n"));
        assertThat(status).as(output).isZero();
        return output;
    }
}
