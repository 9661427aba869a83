// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Actions on the account page that need a recent sign-in, after an old one. */
class StepUpTest {
    private static final Duration OLD = Duration.ofMinutes(5);
    private static final String CONFIRM = "It’s been a while. Confirm that it’s you with your passkey.";
    private static final String FOLLOW_STEPS = "Follow the steps on your device.";

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
        browser.eventually(() -> assertThat(browser.passkeyNames()).containsExactly("Chrome on Linux", "Security key"));
        browser.press("Not now");
        browser.eventually(() -> assertThat(browser.run("return document.activeElement.ariaLabel"))
                .isEqualTo("Remove Chrome on Linux"));
        browser.authenticator().setBogusSignatures(false);
        remove(first);
        browser.awaitText("Chrome on Linux was removed.");
        browser.eventually(() -> assertThat(browser.passkeyNames()).containsExactly("Security key"));
    }

    @Test
    void the_last_passkey_is_removed_after_a_prompt() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        String passkey = browser.authenticator().credentialIds().get(0);
        browser.console().expect(site.origin() + "/auth/passkey/credentials/" + passkey, "403");
        browser.console().expect(site.origin() + "/auth/sessions", "401");
        site.setClockAhead(OLD);
        browser.prompts().hold();

        browser.press(By.cssSelector(".passkey .remove"));
        browser.press(By.id("dialog-force"));
        browser.awaitText(CONFIRM);
        browser.eventually(() -> assertThat(browser.passkeyNames()).hasSize(1));
        browser.prompts().release();

        browser.awaitText("You have no passkeys left.");
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
    }

    @Test
    void sign_outs_and_revoked_applications_need_no_prompt() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.anotherSignedIn();
        site.runCommand(
                "clients", "add", "wiki", "--name", "Wiki", "--third-party", "--redirect-uri", "https://wiki.example/");
        site.updateDatabase(sql -> sql.update("INSERT INTO porchlight_openid_consent"
                + " (user_id, client_id, scopes, agreed_at) VALUES ('ada', 'wiki', 'openid', 0)"));
        site.setClockAhead(OLD);
        browser.authenticator().setUserPresent(false); // a prompt would wait

        browser.open("/account");
        browser.press(By.cssSelector("#session-list .end"));
        browser.awaitText("That browser is signed out.");
        browser.press(By.cssSelector("[data-client=wiki] .end"));
        browser.awaitText("Wiki has to ask you again.");
        browser.press("Sign out everywhere");
        browser.press(By.id("dialog-sign-out"));
        browser.awaitPath("/");
        browser.awaitText("You’re signed out.");
    }

    @Test
    void a_token_is_replaced_and_other_actions_need_no_prompt() throws IOException {
        Site site = browser.serve("LOGIN_RESULT", "token");
        browser.signUpOnPage("ada");
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "403");
        site.setClockAhead(OLD);
        browser.prompts().hold();
        browser.press("Add a passkey");
        browser.awaitText(CONFIRM);
        browser.prompts().releaseOne();
        browser.awaitText(FOLLOW_STEPS);
        browser.press("Cancel"); // the user has signed in again, although no passkey was created
        browser.prompts().releaseOne();
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("add-passkey"));
        browser.press("Add a passkey");
        createOnSecurityKey();
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
        browser.awaitText(CONFIRM);
        browser.prompts().releaseOne();
        createOnSecurityKey();
    }

    private void createOnSecurityKey() {
        browser.awaitText(FOLLOW_STEPS);
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
        return browser.attributeOf(By.cssSelector("#session-list time"), "datetime");
    }
}
