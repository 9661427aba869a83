// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example in docs/guides/embedding: the page and the service have different origins. */
class EmbeddingTest {
    @RegisterExtension
    final Browser browser = new Browser();

    private ExampleSite application;

    @BeforeEach
    void serveExample() throws IOException {
        application = ExampleSite.serve("docs/guides/embedding", browser);
    }

    @AfterEach
    void stopExample() {
        application.close();
    }

    @Test
    void the_example_signs_up_out_and_in_by_button_and_autofill() throws IOException {
        browser.console().expect(browser.site().origin() + "/auth/session", "401"); // no session yet
        browser.openAt(application.origin());
        browser.assertAccessible("embedding");
        browser.type("User name", "ada");
        browser.press("Create an account");
        browser.awaitText("You are ada, known by your token.");

        browser.openAt(application.origin());
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
}
