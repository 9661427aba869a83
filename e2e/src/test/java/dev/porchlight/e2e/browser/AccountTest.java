// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The account page: passkeys and sessions. */
class AccountTest {
    private static final By RENAME = By.cssSelector(".passkey .rename");
    private static final By REMOVE = By.cssSelector(".passkey .remove");

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void the_page_shows_the_passkey_and_backup_advice() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.awaitText("Synced");
        browser.awaitText("If you lose this device, sign in to your password manager on a new one");
        browser.awaitText("This browser");
        browser.assertAccessible("account");
    }

    @Test
    void a_second_passkey_is_added_on_a_security_key() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.switchToSecurityKey();
        browser.press("Add a passkey");

        browser.awaitText("Your new passkey is ready.");
        browser.awaitText("This key only");
        browser.keys("\n"); // keeps the suggested name
        browser.eventually(() -> assertThat(browser.passkeyNames()).containsExactly("Chrome on Linux", "Security key"));
        assertThat(browser.authenticator().credentials()).hasSize(1);
        browser.assertAccessible("account-two-passkeys");

        browser.signOut();
        browser.press("Sign in with a passkey");
        browser.awaitPath("/account");
    }

    @Test
    void a_second_passkey_on_the_same_device_is_refused() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.press("Add a passkey");

        browser.awaitText("This device already has a passkey for your account.");
        String code = browser.textOf(By.id("support-code"));
        assertThat(browser.site().runCommand("explain", "--code", code)).contains("already has a passkey");
        browser.assertAccessible("account-duplicate");
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void adding_a_passkey_can_be_canceled() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.authenticator().setUserPresent(false);
        browser.press("Add a passkey");
        browser.awaitText("Follow the steps on your device.");

        browser.press("Cancel");

        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("add-passkey"));
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Follow the steps"));
    }

    @Test
    void a_passkey_is_renamed_in_place() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press(RENAME);
        browser.assertAccessible("account-rename");

        browser.keys("blue key", "\n");

        browser.awaitText("Renamed to blue key.");
        browser.open("/account");
        browser.awaitText("blue key");
    }

    @Test
    void a_passkey_is_removed_from_the_account_and_from_the_device() throws IOException {
        browser.serve();
        browser.signUp("ada");
        Authenticator phone = browser.authenticator();
        browser.switchToSecurityKey();
        browser.press("Add a passkey");
        browser.awaitText("Your new passkey is ready.");
        browser.press(By.cssSelector("[data-credential-id='"
                + browser.authenticator().credentialIds().get(0) + "'] .remove"));
        browser.assertAccessible("account-remove");

        browser.press(By.id("dialog-remove"));

        browser.awaitText("was removed.");
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector(".passkey")))
                .hasSize(1));
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
        assertThat(phone.credentials()).hasSize(1);
    }

    @Test
    void removing_the_current_passkey_signs_out() throws IOException {
        browser.serve();
        browser.signUp("ada");
        String first = browser.authenticator().credentialIds().get(0);
        browser.switchToSecurityKey();
        browser.press("Add a passkey");
        browser.awaitText("Your new passkey is ready.");
        browser.press(By.cssSelector("[data-credential-id='" + first + "'] .remove"));
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");
        browser.console().expect(browser.site().origin() + "/auth/session", "401");

        browser.press(By.id("dialog-remove"));

        browser.awaitText("You had signed in with it. Sign in with another one.");
        browser.assertAccessible("account-signed-out");
        browser.press("Sign in");
        browser.awaitPath("/");
    }

    @Test
    void removing_the_last_passkey_needs_confirmation() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press(REMOVE);
        browser.awaitText("This is your last passkey");
        browser.assertAccessible("account-last-passkey");

        browser.press(By.id("dialog-cancel"));

        browser.eventually(() -> assertThat(browser.text()).doesNotContain("This is your last passkey"));
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void the_last_passkey_is_removed_after_confirmation() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/sessions", "401");
        browser.press(REMOVE);

        browser.press(By.id("dialog-force"));

        browser.awaitText("You have no passkeys left");
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());
    }

    @Test
    void a_new_passkey_is_announced_at_the_next_sign_in() throws IOException {
        browser.serve();
        browser.signUp("ada");
        Browser other = browser.anotherSignedIn();
        other.switchToSecurityKey();
        other.press("Add a passkey");
        other.awaitText("Your new passkey is ready.");
        assertThat(other.text()).doesNotContain("A passkey was added");

        browser.signOut();
        browser.press("Sign in with a passkey");
        browser.awaitPath("/account");

        browser.awaitText("A passkey was added on");
        browser.awaitText("from Chrome on Linux. If this wasn’t you, remove it.");
        browser.assertAccessible("account-new-passkey");
        browser.press("Remove it");
        browser.press(By.id("dialog-remove"));
        browser.awaitText("was removed.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("A passkey was added"));
    }

    @Test
    void an_ended_session_is_shown_at_the_next_action() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "401");
        browser.driver().manage().deleteAllCookies();

        browser.press("Add a passkey");

        browser.awaitText("Your session has ended.");
        browser.assertAccessible("account-session-ended");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Signed in as"));
    }

    @Test
    void an_expired_session_is_shown_without_a_click() throws IOException {
        browser.serve("SESSION_TTL_SECONDS", "60");
        browser.speedUpClock(60);
        browser.signUp("ada");
        browser.console().expect(browser.site().origin() + "/auth/session", "401");
        browser.driver().manage().deleteAllCookies(); // as the browser does when they expire

        browser.awaitText("Your session has ended.");
    }

    @Test
    void a_lock_is_shown_without_a_click() throws IOException {
        Site site = browser.serve();
        browser.speedUpClock(60);
        browser.signUp("ada");
        browser.console().expect(site.origin() + "/auth/session", "401");

        site.runCommand("users", "lock", "ada");

        browser.awaitText("Your session has ended.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Signed in as"));
    }

    @Test
    void the_page_tries_again_by_itself_while_the_database_is_down() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.speedUpClock(20);
        browser.runOnEveryPage("""
                {
                  const real = fetch;
                  window.failures = 3;
                  window.fetch = (url, init) => String(url).endsWith('/auth/session') && window.failures-- > 0
                    ? Promise.resolve(Response.json({ code: 'storage_unavailable', error: 'Storage is unavailable.' }, { status: 503 }))
                    : real(url, init);
                }
                """);
        browser.open("/account");

        browser.awaitText("The service isn’t responding. Try again in a moment. This page tries again by itself.");
        browser.eventually(() -> assertThat(browser.focused()).isEmpty());
        browser.awaitText("Signed in as ada");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("isn’t responding"));
    }

    @Test
    void adding_a_passkey_that_is_dismissed_shows_a_code_that_the_console_finds() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.run("CredentialsContainer.prototype.create = () => new Promise((_, refuse) =>"
                + " setTimeout(() => refuse(new DOMException('', 'NotAllowedError')), 1100))");

        browser.press("Add a passkey");

        browser.awaitText("No passkey was created.");
        String code = browser.textOf(By.id("support-code"));
        browser.assertAccessible("account-dismissed");
        browser.press("Get help");
        browser.awaitText("What is a support code?");
        browser.awaitText("The support code of your last attempt is " + code + ".");
        assertCause(code, "dismissed");
    }

    @Test
    void the_code_of_a_refused_change_is_found_by_the_console() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        String id = browser.authenticator().credentialIds().get(0);
        browser.press(RENAME);
        browser.run("const real = fetch; window.fetch = (url, init) => real(url, { ...init,"
                + " ...(init?.method === 'PATCH' ? { body: '{\"name\":7}' } : {}) })");
        browser.console().expect(site.origin() + "/auth/passkey/credentials/" + id, "400");

        browser.keys("blue key", "\n");

        browser.awaitText("The service didn’t accept this.");
        String code = browser.textOf(By.id("support-code"));
        assertCause(code, "refused");
        assertThat(site.runCommand("explain", "--code", code)).contains("  found:    malformed_request");
    }

    private void assertCause(String code, String cause) {
        browser.eventually(() -> assertThat(browser.run(
                        "const { ceremonies } = await (await fetch(`/console/api/ceremonies?find=${arguments[0]}`)).json();"
                                + " return ceremonies.map(({ cause }) => cause?.code).join()",
                        code))
                .isEqualTo(cause));
    }

    @Test
    void a_session_of_another_browser_can_be_ended() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        Browser other = browser.anotherSignedIn();

        browser.open("/account");
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector("#session-list .row")))
                .hasSize(2));
        browser.assertAccessible("account-two-sessions");
        browser.press(By.cssSelector("#session-list .end"));
        browser.awaitText("That browser is signed out.");

        other.console().expect(site.origin() + "/auth/session", "401");
        other.open("/account");
        other.awaitPath("/");
        browser.open("/account");
        browser.awaitText("Signed in as ada");
    }

    @Test
    void signing_out_everywhere_includes_this_browser() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.press("Sign out everywhere");
        browser.assertAccessible("account-sign-out-everywhere");

        browser.press(By.id("dialog-sign-out"));

        browser.awaitPath("/");
    }

    @Test
    void an_unreachable_service_is_shown_and_retried() throws IOException {
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
        browser.awaitText("You’re offline, or the service isn’t responding.");

        site.start();
        browser.press("Try again");

        browser.awaitText("Renamed to blue key.");
    }

    @Test
    void the_profile_is_shown_and_changed_by_keyboard() throws IOException {
        Site site = browser.serve("PROFILE_EDITABLE", "name,email,locale");
        browser.signUp("ada");
        site.runCommand("users", "set", "ada", "--given-name", "Ada", "--claim", "team=core", "--locale", "de-AT");
        browser.open("/account");
        browser.eventually(() -> assertThat(profile())
                .containsExactly("Given name", "Ada", "Language", "Austrian German", "team", "core"));

        browser.tabTo("#change-profile", Keys.ENTER);
        assertThat(browser.focused()).isEqualTo("profile-name");
        browser.keys("Ada Lovelace", Keys.TAB, "ada", Keys.ENTER);
        browser.awaitText("Enter an email address, such as ada@example.com.");
        assertThat(browser.focused()).isEqualTo("profile-email");
        browser.assertAccessible("account-profile-invalid");
        browser.keys("@example.com");
        browser.assertAccessible("account-profile-change");
        browser.keys(Keys.ENTER);

        browser.awaitText("The profile was changed.");
        assertThat(browser.focused()).isEqualTo("profile-title");
        assertThat(profile())
                .containsSequence("Full name", "Ada Lovelace")
                .containsSequence("Email address", "ada@example.com Not verified");
        browser.assertAccessible("account-profile");
        assertThat(site.runCommand("users", "show", "ada")).contains("Ada Lovelace", "ada@example.com", "de-AT");
    }

    @Test
    void a_new_address_prompts_for_the_passkey_if_the_sign_in_is_old() throws IOException {
        Site site = browser.serve("PROFILE_EDITABLE", "email");
        browser.signUp("ada");
        site.setClockAhead(Duration.ofMinutes(6));
        browser.console().expect(site.origin() + "/auth/profile", "403");
        browser.press("Change profile…");
        browser.keys("ada@example.com", Keys.ENTER);

        browser.awaitText("The profile was changed.");
        assertThat(profile()).containsExactly("Email address", "ada@example.com Not verified");
    }

    @Test
    void a_change_of_the_profile_can_be_canceled() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.awaitText("Your profile is empty.");
        browser.press("Change profile…");
        browser.keys("Grace");

        browser.press(By.id("cancel-profile"));

        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("change-profile"));
        browser.awaitText("Your profile is empty.");
    }

    private List<String> profile() {
        return browser.readAll("#profile-facts > *", "one.innerText.trim().replaceAll('\\n', ' ')"); // before a badge
    }

    @Test
    void the_page_works_with_tokens_only() throws IOException {
        browser.serve("LOGIN_RESULT", "token");
        browser.signUpOnPage("ada");

        browser.press(RENAME);
        browser.keys("blue key", "\n");

        browser.awaitText("Renamed to blue key.");
        assertThat(browser.driver().manage().getCookies()).isEmpty();
    }
}
