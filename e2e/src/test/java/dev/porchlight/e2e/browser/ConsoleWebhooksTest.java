// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Endpoints and their messages in the operators' console. */
class ConsoleWebhooksTest {
    @RegisterExtension
    final Browser browser = new Browser();

    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger status = new AtomicInteger(204);
    private HttpServer receiver;
    private String url;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
            received.incrementAndGet();
        });
        receiver.start();
        url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook";
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private Site serveFor(String role) throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        site.runCommand("operators", "add", "ada", "--role", role, "--force");
        return site;
    }

    private List<String> states() {
        return browser.readAll("#webhooks [data-delivery]", "one.dataset.state");
    }

    @Test
    void an_owner_adds_and_tests_an_endpoint_by_keyboard() throws IOException {
        serveFor("owner");
        browser.open("/console");
        browser.tabTo("#views [href='#webhooks']", Keys.ENTER);
        browser.awaitText("Webhooks send events to your systems");
        browser.assertAccessible("console-webhooks-none");

        browser.tabTo("#add-webhook", Keys.ENTER);
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("webhook-url"));
        assertThat(browser.textOf(By.id("webhook-types"))).contains("user.locked, user.unlocked");
        browser.keys(url);
        browser.assertAccessible("console-webhook-add");
        browser.keys(Keys.ENTER);
        browser.awaitText("It isn’t shown again.");
        assertThat(browser.valueOf(By.id("webhook-secret"))).startsWith("whsec_");
        browser.keys(Keys.ESCAPE);
        browser.awaitText("There are no such messages.");

        browser.tabTo("#webhooks .actions button", Keys.ENTER);
        browser.awaitText("A test message was sent.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("webhook-title"));
        browser.eventually(() -> assertThat(states()).containsExactly("delivered"));
        browser.tabTo("[data-delivery] button", Keys.ENTER);
        browser.awaitText("The message was sent again.");
        browser.eventually(() -> assertThat(received).hasValue(2));
    }

    @Test
    void an_endpoint_that_fails_is_shown_with_its_error() throws IOException {
        Site site = serveFor("owner");
        site.runCommand("webhooks", "add", url);
        status.set(500);
        browser.open("/console#webhooks");
        browser.press(By.cssSelector("[data-webhook] a"));
        browser.press("Send a test");

        browser.awaitText("the endpoint responded with status 500");
        browser.awaitText("Next attempt in");
        browser.assertAccessible("console-webhook");
        browser.press(By.cssSelector("#delivery-state [value=delivered]"));
        browser.eventually(() -> assertThat(states()).isEmpty());
        browser.press(By.cssSelector("#delivery-state [value=pending]"));
        browser.eventually(() -> assertThat(states()).containsExactly("pending"));
        browser.press("← All webhooks");
        browser.awaitText("the endpoint responded with status 500");
        browser.assertAccessible("console-webhooks");
    }

    @Test
    void an_endpoint_is_changed_disabled_and_removed() throws IOException {
        Site site = serveFor("owner");
        String id = JsonObject.parse(site.runCommand("webhooks", "add", url, "--json"))
                .string("webhookId");
        browser.console().expect(site.origin() + "/admin/webhooks/" + id, "400");
        browser.open("/console#webhooks/" + id);

        browser.press("Change…");
        By events = By.id("webhook-events");
        browser.find(events).sendKeys("\nno.such");
        browser.press(By.id("dialog-submit"));
        browser.awaitText("There is no event 'no.such'.");
        browser.find(events).clear();
        browser.find(events).sendKeys("user.*");
        browser.press(By.id("dialog-submit"));
        browser.awaitText("The endpoint was changed.");
        browser.press("Disable");
        browser.awaitText("Disabled");
        browser.press("Replace secret…");
        browser.press(By.id("dialog-submit"));
        browser.awaitText("It isn’t shown again.");
        browser.press(By.id("dialog-close"));
        browser.awaitText("The secret was replaced.");
        assertThat(site.runCommand("webhooks", "list")).contains("user.*", "no");
        browser.press("Remove…");
        browser.press(By.id("dialog-submit"));

        browser.awaitText("The endpoint was removed.");
        assertThat(site.runCommand("webhooks", "list")).contains("There is no webhook.");
    }

    @Test
    void an_auditor_sees_endpoints_and_no_buttons_for_changes() throws IOException {
        Site site = serveFor("auditor");
        site.runCommand("webhooks", "add", url);
        browser.open("/console#webhooks");
        browser.press(By.cssSelector("[data-webhook] a"));

        browser.awaitText("There are no such messages.");
        assertThat(browser.text()).doesNotContain("Send a test", "Replace secret…", "Remove…");
    }
}
