// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Npm;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Alert;
import org.openqa.selenium.By;
import org.openqa.selenium.NoAlertPresentException;

/** The application in examples/react, type-checked and built as its README says. */
@Tag("slow")
class ReactExampleTest {
    private static final By SIGN_IN = By.cssSelector("porchlight-signin");

    @RegisterExtension
    final Browser browser = new Browser();

    private ExampleSite application;

    @BeforeAll
    static void build() throws Exception {
        Npm.install("examples/react").run("build");
    }

    @BeforeEach
    void serve() throws IOException {
        application = ExampleSite.serve("examples/react", browser);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void a_user_signs_up_out_and_in_and_manages_passkeys() throws IOException {
        browser.console().expect(browser.site().origin() + "/auth/session", "401"); // no session yet
        browser.openAt(application.origin());
        browser.find(SIGN_IN);
        browser.assertAccessible("react-sign-in");
        pressInElement("Create an account");
        browser.keys("ada\n");
        browser.awaitText("Welcome, ada.");

        browser.press("Sign out");
        browser.awaitText("You’re signed out.");
        pressInElement("Sign in with a passkey");
        browser.awaitText("Welcome back, ada.");

        browser.switchToSecurityKey();
        browser.press("Add a passkey");
        browser.awaitText("Your new passkey is ready.");
        browser.awaitText("Passkey 2");
        browser.assertAccessible("react-account");
        pressLast("Rename");
        Alert name = dialog();
        name.sendKeys("blue key");
        name.accept();
        browser.awaitText("Renamed to blue key.");
        pressLast("Remove");
        dialog().accept();
        browser.awaitText("blue key was removed.");
        browser.eventually(() -> browser.eventually(() ->
                assertThat(browser.driver().findElements(By.tagName("li"))).hasSize(1)));
    }

    private void pressInElement(String text) {
        browser.find(SIGN_IN);
        browser.eventually(() -> assertThat(browser.run(
                        "const found = [...document.querySelector('porchlight-signin').shadowRoot.querySelectorAll('button')]"
                                + ".find(button => button.textContent === arguments[0] && !button.disabled && button.checkVisibility());"
                                + " found?.click(); return !!found",
                        text))
                .isEqualTo(true));
    }

    private void pressLast(String text) {
        browser.press(By.xpath("//li[last()]/button[normalize-space()='" + text + "']"));
    }

    private Alert dialog() {
        return PageWait.await()
                .ignoreException(NoAlertPresentException.class)
                .until(() -> browser.driver().switchTo().alert(), alert -> alert != null);
    }
}
