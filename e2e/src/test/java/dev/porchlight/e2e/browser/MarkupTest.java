// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Texts of strangers stay texts. A report of the content security policy would fail these tests too: nothing was tried. */
@Timeout(120)
class MarkupTest {
    private static final String MARKUP =
            "</script>\"'><img class=xss src=x onerror=xss()><script>xss()</script>{{name}}";

    @RegisterExtension
    final Browser browser = new Browser();

    @AfterEach
    void nothing_became_an_element() {
        assertThat(browser.driver().findElements(By.className("xss"))).isEmpty();
    }

    @Test
    void in_the_name_of_a_user() throws IOException {
        browser.serve();
        browser.signUp(MARKUP);
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.type("User name", MARKUP);
        browser.press("Create an account");
        browser.sees("Sign in as " + MARKUP);
        browser.press(By.id("sign-in-instead"));
        browser.wasTold("Welcome back, " + MARKUP);
        browser.isAt("/account");
    }

    @Test
    void in_the_name_of_a_passkey() throws IOException {
        browser.serve();
        browser.signUp("ada");
        String name = MARKUP.substring(0, 64);

        browser.press(By.cssSelector(".passkey .rename"));
        browser.keys(name, "\n");

        browser.sees("The passkey is called " + name + " now.");
        browser.press(By.cssSelector(".passkey .remove"));
        browser.sees("This is your last passkey");
        browser.open("/account");
        browser.sees(name);
    }

    @Test
    void in_the_name_of_the_service() throws IOException {
        browser.serve("RP_NAME", MARKUP);
        browser.open("/");
        browser.sees("Sign in to " + MARKUP);

        browser.signUp("ada");

        assertThat(browser.driver().getTitle()).contains(MARKUP);
    }

    @Test
    void in_an_enrollment_link() throws IOException {
        browser.serve();
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "401");
        browser.open("/#enroll=" + MARKUP);

        browser.press(By.id("enroll-button"));

        browser.sees("Support code");
    }

    @Test
    void in_the_user_agent_of_a_session() throws IOException {
        browser.serve();
        browser.userAgent(MARKUP);

        browser.signUp("ada");

        browser.find(By.cssSelector("#session-list .row"));
    }

    @Test
    void in_the_console() throws IOException {
        browser.serve();
        browser.signUp(MARKUP);
        browser.open("/console");
        browser.sees(MARKUP);

        browser.type("Support code", MARKUP);
        browser.press("Find");

        browser.sees("No ceremony goes by “" + MARKUP);
    }

    @Test
    void in_a_response_that_is_explained() throws IOException {
        browser.serve();
        browser.open("/console");
        browser.sees("Live");
        String finish = "/auth/passkey/login/finish?userId="
                + URLEncoder.encode(MARKUP, UTF_8).replace("+", "%20");
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.run(
                "return fetch(arguments[0], { method: 'POST', body: JSON.stringify({ type: arguments[1] }), headers: {"
                        + " 'content-type': 'application/json', 'traceparent':"
                        + " '00-9b8977abcdef01230123456789abcdef-0123456789abcdef-01' } }).then(() => 0)",
                finish,
                MARKUP);

        browser.find(By.id("explain-code")).sendKeys("KE-4QF");
        browser.press("Explain");

        browser.sees("Sign-in of " + MARKUP);
    }
}
