// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** The account page: what somebody does with passkeys and sessions. */
@Timeout(120)
class AccountTest {
    private static final By RENAME = By.cssSelector(".passkey .rename");
    private static final By REMOVE = By.cssSelector(".passkey .remove");

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void shows_a_passkey_and_what_becomes_of_its_owner_without_the_device() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.sees("Synced");
        browser.sees("If you lose this device: sign in to your password manager on a new one");
        browser.sees("This browser");
        browser.everybodyCanUse("account");
    }

    @Test
    void a_second_passkey_goes_onto_another_device() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.usesSecurityKeyInstead();
        browser.press("Add a passkey");

        browser.sees("Your new passkey is ready.");
        browser.sees("This device only");
        assertThat(browser.authenticator().credentials()).hasSize(1);
        browser.everybodyCanUse("account-two-passkeys");

        browser.signOut();
        browser.press("Sign in with a passkey");
        browser.isAt("/account");
    }

    @Test
    void one_device_keeps_one_passkey() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.press("Add a passkey");

        browser.sees("This device already has a passkey for your account.");
        browser.everybodyCanUse("account-duplicate");
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void adding_can_be_cancelled() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.authenticator().userIsThere(false);
        browser.press("Add a passkey");
        browser.sees("Follow the steps on your device.");

        browser.press("Cancel");

        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("add-passkey"));
        assertThat(browser.text()).doesNotContain("Follow the steps");
    }

    @Test
    void a_passkey_is_renamed_in_place() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press(RENAME);
        browser.everybodyCanUse("account-rename");

        browser.keys("blue key", "\n");

        browser.sees("The passkey is called blue key now.");
        browser.open("/account");
        browser.sees("blue key");
    }

    @Test
    void a_passkey_is_removed_from_the_account_and_from_the_device() throws IOException {
        browser.serve();
        browser.signUp("ada");
        Authenticator phone = browser.authenticator();
        browser.usesSecurityKeyInstead();
        browser.press("Add a passkey");
        browser.sees("Your new passkey is ready.");
        browser.press(By.cssSelector("[data-credential-id='"
                + browser.authenticator().credentialIds().get(0) + "'] .remove"));
        browser.everybodyCanUse("account-remove");

        browser.press(By.id("dialog-remove"));

        browser.sees("was removed.");
        assertThat(browser.driver().findElements(By.cssSelector(".passkey"))).hasSize(1);
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
        assertThat(phone.credentials()).hasSize(1);
    }

    @Test
    void removing_the_passkey_one_signed_in_with_signs_out() throws IOException {
        browser.serve();
        browser.signUp("ada");
        String first = browser.authenticator().credentialIds().get(0);
        browser.usesSecurityKeyInstead();
        browser.press("Add a passkey");
        browser.sees("Your new passkey is ready.");
        browser.press(By.cssSelector("[data-credential-id='" + first + "'] .remove"));
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");

        browser.press(By.id("dialog-remove"));

        browser.sees("You had signed in with it, so sign in with another one.");
        browser.everybodyCanUse("account-signed-out");
        browser.press("Sign in");
        browser.isAt("/");
    }

    @Test
    void the_last_passkey_is_guarded() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press(REMOVE);
        browser.sees("This is your last passkey");
        browser.everybodyCanUse("account-last-passkey");

        browser.press(By.id("dialog-cancel"));

        browser.eventually(() -> assertThat(browser.text()).doesNotContain("This is your last passkey"));
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void the_last_passkey_goes_when_its_owner_insists() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");
        browser.press(REMOVE);

        browser.press(By.id("dialog-force"));

        browser.sees("You have none left");
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
    }

    @Test
    void an_old_sign_in_asks_for_the_passkey_first_and_then_goes_on() throws IOException {
        browser.serve("RECENT_LOGIN_SECONDS", "1");
        browser.signUp("ada");
        String passkey = browser.authenticator().credentialIds().get(0);
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "403");
        browser.console().expect(browser.site().origin() + "/auth/passkey/credentials/" + passkey, "403");
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");
        browser.eventually(() -> assertThat(
                        browser.run("return fetch('/auth/passkey/register/options').then(response => response.status)"))
                .isEqualTo(403L));
        browser.press(REMOVE);

        browser.press(By.id("dialog-force"));

        browser.sees("You have none left");
    }

    @Test
    void a_passkey_that_was_added_since_is_announced_at_the_next_sign_in() throws IOException {
        browser.serve();
        browser.signUp("ada");
        Browser other = browser.another();
        browser.authenticator().credentials().forEach(other.authenticator()::add);
        other.open("/");
        other.press("Sign in with a passkey");
        other.isAt("/account");
        other.usesSecurityKeyInstead();
        other.press("Add a passkey");
        other.sees("Your new passkey is ready.");
        assertThat(other.text()).doesNotContain("A passkey was added");

        browser.signOut();
        browser.press("Sign in with a passkey");
        browser.isAt("/account");

        browser.sees("A passkey was added on");
        browser.sees("from Chrome on Linux. If it was not you, remove it.");
        browser.everybodyCanUse("account-new-passkey");
        browser.press("Remove it");
        browser.press(By.id("dialog-remove"));
        browser.sees("was removed.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("A passkey was added"));
    }

    @Test
    void a_session_that_ended_is_told_at_the_next_step() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "401");
        browser.driver().manage().deleteAllCookies();

        browser.press("Add a passkey");

        browser.sees("Your session has ended.");
        browser.everybodyCanUse("account-session-ended");
        assertThat(browser.text()).doesNotContain("Signed in as");
    }

    @Test
    void a_session_that_expires_is_told_by_itself() throws IOException {
        browser.serve("SESSION_TTL_SECONDS", "60");
        browser.hurry(10);
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");
        browser.driver().manage().deleteAllCookies(); // as the browser does when its time is over

        browser.sees("Your session has ended.");
    }

    @Test
    void one_browser_ends_the_session_of_another() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        Browser other = browser.another();
        browser.authenticator().credentials().forEach(other.authenticator()::add);
        other.open("/");
        other.press("Sign in with a passkey");
        other.isAt("/account");

        browser.open("/account");
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector("#session-list .row")))
                .hasSize(2));
        browser.everybodyCanUse("account-two-sessions");
        browser.press(By.cssSelector("#session-list .end"));
        browser.sees("Signed out there.");

        other.console().expect(site.origin() + "/auth/session", "401");
        other.open("/account");
        other.isAt("/");
        browser.open("/account");
        browser.sees("Signed in as ada");
    }

    @Test
    void signing_out_everywhere_includes_here() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press("Sign out everywhere");
        browser.everybodyCanUse("account-sign-out-everywhere");

        browser.press(By.id("dialog-sign-out"));

        browser.isAt("/");
    }

    @Test
    void a_service_that_is_gone_is_told_and_tried_again() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.press(RENAME);
        browser.console()
                .expect(
                        site.origin() + "/auth/passkey/credentials/"
                                + browser.authenticator().credentialIds().get(0),
                        "net::ERR_CONNECTION_REFUSED");
        site.close();
        browser.keys("blue key", "\n");
        browser.sees("You are offline, or the service cannot be reached.");

        site.start();
        browser.press("Try again");

        browser.sees("The passkey is called blue key now.");
    }

    @Test
    void works_with_tokens_alone() throws IOException {
        browser.serve("LOGIN_RESULT", "token");
        browser.signUp("ada");

        browser.press(RENAME);
        browser.keys("blue key", "\n");

        browser.sees("The passkey is called blue key now.");
        assertThat(browser.driver().manage().getCookies()).isEmpty();
    }
}
