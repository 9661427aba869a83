// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example in docs/guides/embedding: the page and the service have different origins. */
@Timeout(120)
class EmbeddingTest {
    private static final Path EXAMPLE = Path.of(System.getProperty("porchlight.root"), "docs/guides/embedding");
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html; charset=utf-8", "js", "text/javascript", "css", "text/css");

    @RegisterExtension
    final Browser browser = new Browser();

    private HttpServer application;

    @BeforeEach
    void serveExample() throws IOException {
        application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        browser.serve("RP_ORIGIN", origin());
        application.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String file = path.equals("/") ? "index.html" : path.substring(1);
            byte[] body = Files.readString(EXAMPLE.resolve(file))
                    .replace("http://localhost:8080", browser.site().origin())
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", TYPES.get(file.replaceAll(".*\\.", "")));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        application.start();
    }

    @AfterEach
    void stopExample() {
        application.stop(0);
    }

    @Test
    void the_example_signs_up_out_and_in_by_button_and_autofill() throws IOException {
        browser.console().expect(browser.site().origin() + "/auth/session", "401"); // no session yet
        browser.openAt(origin());
        browser.assertAccessible("embedding");
        browser.type("User name", "ada");
        browser.press("Create an account");
        browser.awaitText("You are ada, known by your token.");

        browser.openAt(origin());
        browser.awaitText("You are ada, known by your session.");
        browser.press("Sign out");
        browser.awaitText("Signed out.");

        browser.type("User name", "ada");
        browser.press("Sign in with a passkey");
        browser.awaitText("Welcome, ada.");
        browser.press("Sign out");
        browser.awaitText("Signed out.");

        browser.prompts().chooseFromAutofill();
        browser.awaitText("Welcome, ada.");
    }

    private String origin() {
        return "http://localhost:" + application.getAddress().getPort();
    }
}
