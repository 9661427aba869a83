// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Actions on the account page that need a recent sign-in, after an old one. */
@Timeout(120)
class StepUpTest {
    private static final Duration OLD = Duration.ofMinutes(5);

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void adding_and_removing_a_passkey_prompt_for_the_passkey_first() throws IOException {
        Site site = browser.serve("USER_VERIFICATION", "required");
        browser.signUp("ada");
        String first = browser.authenticator().credentialIds().get(0);
        String signedIn = shownSignIn();
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "403");
        site.setClockAhead(OLD);
        browser.authenticator().setUserVerified(false);
        browser.prompts().delay(Duration.ofMillis(1100));

        browser.press("Add a passkey");
        browser.awaitText("No passkey was used.");
        browser.assertAccessible("account-step-up-dismissed");
        browser.authenticator().setUserVerified(true);
        browser.prompts().delay(Duration.ZERO);
        addOnSecurityKey("Try again");
        browser.eventually(() -> assertThat(shownSignIn()).isGreaterThan(signedIn));
        browser.keys("\n"); // keeps the suggested name

        browser.console().expect(site.origin() + "/auth/passkey/credentials/" + first, "403");
        browser.console().expect(site.origin() + "/auth/passkey/login/finish", "401");
        site.setClockAhead(OLD.multipliedBy(2));
        browser.authenticator().setBogusSignatures(true);

        remove(first);
        browser.awaitText("That passkey wasn’t accepted.");
        assertThat(browser.passkeyNames()).containsExactly("Chrome on Linux", "Security key");
        browser.press("Not now");
        browser.eventually(() -> assertThat(browser.run("return document.activeElement.ariaLabel"))
                .isEqualTo("Remove Chrome on Linux"));
        browser.authenticator().setBogusSignatures(false);
        remove(first);
        browser.awaitText("Chrome on Linux was removed.");
        assertThat(browser.passkeyNames()).containsExactly("Security key");
    }

    @Test
    void a_token_is_replaced_and_other_actions_need_no_prompt() throws IOException {
        Site site = browser.serve("LOGIN_RESULT", "token");
        browser.signUp("ada");
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "403");
        site.setClockAhead(OLD);
        addOnSecurityKey("Add a passkey");
        browser.authenticator().setUserPresent(false); // a prompt would wait

        browser.keys("blue key", "\n");
        browser.awaitText("Renamed to blue key.");
        remove(browser.authenticator().credentialIds().get(0));
        browser.awaitText("blue key was removed.");
        site.setClockAhead(OLD.multipliedBy(2));
        browser.press(By.cssSelector(".passkey .rename"));
        browser.keys("phone", "\n");
        browser.awaitText("Renamed to phone.");
        browser.signOut();
    }

    /** Presses a button, confirms with the authenticator and creates a passkey on a security key. */
    private void addOnSecurityKey(String button) {
        browser.prompts().hold();
        browser.press(button);
        browser.awaitText("It’s been a while. Confirm that it’s you with your passkey.");
        browser.prompts().releaseOne();
        browser.awaitText("Follow the steps on your device.");
        browser.switchToSecurityKey();
        browser.prompts().release();
        browser.awaitText("Your new passkey is ready.");
    }

    private void remove(String credentialId) {
        browser.press(By.cssSelector("[data-credential-id='" + credentialId + "'] .remove"));
        browser.press(By.id("dialog-remove"));
    }

    /** Returns the time of the sign-in in the list of sessions. */
    private String shownSignIn() {
        return browser.find(By.cssSelector("#session-list time")).getDomAttribute("datetime");
    }
}
