// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Untrusted texts stay text. A content security policy violation also fails these tests. */
class MarkupTest {
    private static final String MARKUP =
            "</script>\"'><img class=xss src=x onerror=xss()><script>xss()</script>{{name}}";

    @RegisterExtension
    final Browser browser = new Browser();

    @AfterEach
    void markup_never_becomes_an_element() {
        browser.eventually(() ->
                assertThat(browser.driver().findElements(By.className("xss"))).isEmpty());
    }

    @Test
    void markup_in_a_user_name_stays_text() throws IOException {
        browser.serve();
        browser.signUp(MARKUP);
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.openSignUp();
        browser.type("User name", MARKUP);
        browser.press("Create account");
        browser.awaitText("User name: " + MARKUP);
        browser.press(By.id("sign-in-instead"));
        browser.awaitMessage("Welcome back, " + MARKUP);
        browser.awaitPath("/account");
    }

    @Test
    void markup_in_a_passkey_name_stays_text() throws IOException {
        browser.serve();
        browser.signUp("ada");
        String name = MARKUP.substring(0, 64);

        browser.press(By.cssSelector(".passkey .rename"));
        browser.keys(name, "\n");

        browser.awaitText("Renamed to " + name + ".");
        browser.press(By.cssSelector(".passkey .remove"));
        browser.awaitText("This is your last passkey");
        browser.open("/account");
        browser.awaitText(name);
    }

    @Test
    void markup_in_the_service_name_stays_text() throws IOException {
        browser.serve("RP_NAME", MARKUP);
        browser.open("/");
        browser.awaitText("Sign in to " + MARKUP);

        browser.signUp("ada");

        assertThat(browser.driver().getTitle()).contains(MARKUP);
    }

    @Test
    void markup_in_an_enrollment_link_stays_text() throws IOException {
        browser.serve();
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "401");

        browser.open("/#enroll=" + MARKUP);

        browser.awaitText("Support code");
    }

    @Test
    void markup_in_a_user_agent_stays_text() throws IOException {
        browser.serve();
        browser.userAgent(MARKUP);

        browser.signUp("ada");

        browser.find(By.cssSelector("#session-list .row"));
    }

    @Test
    void markup_in_the_console_stays_text() throws IOException {
        browser.serve();
        browser.signUp(MARKUP);
        browser.open("/console");
        browser.awaitText(MARKUP);

        browser.type("Support code", MARKUP);
        browser.press("Find");
        browser.awaitText("1 ceremony found.");

        browser.type("Support code", "unknown " + MARKUP);
        browser.press("Find");
        browser.awaitText("Nothing found for “unknown " + MARKUP);
    }

    @Test
    void markup_in_an_explained_response_stays_text() throws IOException {
        browser.serve();
        browser.open("/console");
        browser.awaitText("Live");
        String finish = "/auth/passkey/login/finish?userId="
                + URLEncoder.encode(MARKUP, UTF_8).replace("+", "%20");
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.run(
                "return fetch(arguments[0], { method: 'POST', body: JSON.stringify({ type: arguments[1] }), headers: {"
                        + " 'content-type': 'application/json', 'traceparent':"
                        + " '00-9b8977abcdef01230123456789abcdef-0123456789abcdef-01' } }).then(() => 0)",
                finish,
                MARKUP);

        browser.type("Support code", "KE-4QF");
        browser.press("Find");
        browser.press(By.cssSelector("#found [data-explain]"));

        browser.awaitText("Sign-in of " + MARKUP);
    }
}
