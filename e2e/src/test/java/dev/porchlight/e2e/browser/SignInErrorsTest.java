// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** The sign-in page after errors: its messages and ways to recover. */
class SignInErrorsTest {
    private static final String FINISH = "/auth/passkey/login/finish";

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void canceling_shows_no_error_and_focuses_the_button() throws IOException {
        signUpAndOut();
        browser.authenticator().setUserPresent(false);
        browser.press("Sign in with a passkey");
        browser.awaitText("Follow the steps on your device.");
        browser.assertAccessible("prompt");

        browser.press("Cancel");

        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("sign-in-button"));
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Follow the steps", "Support code"));
        assertThat(lastCode()).matches(".*[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{3}\\.");
    }

    /** The support code in the help section. */
    private String lastCode() {
        return (String) browser.run("return document.getElementById('last-code').textContent");
    }

    @Test
    void a_prompt_without_a_result_shows_a_code_that_the_operator_finds() throws IOException {
        Site site = signUpAndOut();
        browser.speedUpClock(10);
        browser.open("/");
        browser.authenticator().setUserPresent(false);
        browser.press("Sign in with a passkey");

        browser.awaitText("If no prompt has opened, cancel and try again");
        String code = browser.textOf(By.id("support-code"));
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("cancel"));
        browser.assertAccessible("waiting");
        assertThat(site.runCommand("explain", "--code", code)).contains("reported by the browser", "did not open");
        assertThat(lastCode()).contains(code);
    }

    @Test
    void the_typed_name_stays_visible_after_an_error() throws IOException {
        signUpAndOut("USER_VERIFICATION", "required");
        browser.authenticator().setUserVerified(false);
        browser.openOtherWays();
        browser.type("User name", "ada");
        browser.press("Continue");

        browser.awaitText("User name: ada");
        browser.press("Enter your user name");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("known-user-id"));
        assertThat(browser.run("return document.getElementById('known-user-id').value"))
                .isEqualTo("ada");
    }

    @Test
    void a_page_at_a_wrong_address_shows_a_code_that_the_operator_finds() throws IOException {
        Site site = browser.serve("RP_ORIGIN", "https://localhost");
        browser.open("/");

        browser.awaitText("Passkeys don’t work at this address. Use https://localhost instead.");
        String code = browser.textOf(By.id("support-code"));
        assertThat(site.runCommand("explain", "--code", code))
                .startsWith("A sign-in, reported by the browser at ")
                .contains("wrong address", "expected: https://localhost\n", "found:    " + site.origin() + '\n');
    }

    @Test
    void an_enrollment_link_at_a_wrong_address_is_opened_at_the_right_one() throws IOException {
        Site site = browser.serve("RP_ORIGIN", "https://localhost");
        browser.open("/#enroll=enroll_abc");
        String code = browser.textOf(By.id("support-code"));
        assertThat(site.runCommand("explain", "--code", code)).startsWith("A new passkey, reported by the browser at ");

        browser.run("navigation.addEventListener('navigate', event => {"
                + " event.preventDefault(); document.body.dataset.target = event.destination.url; })");
        browser.press(By.id("go-to-origin"));
        assertThat(browser.run("return document.body.dataset.target"))
                .isEqualTo("https://localhost/#enroll=enroll_abc");
    }

    @Test
    void a_dismissed_prompt_shows_a_code_and_can_be_retried() throws IOException {
        Site site = signUpAndOut("USER_VERIFICATION", "required");
        browser.authenticator().setUserVerified(false);
        browser.prompts().delay(Duration.ofMillis(1100));
        browser.press("Sign in with a passkey");

        browser.awaitText("No passkey was used.");
        browser.assertAccessible("dismissed");
        String code = browser.textOf(By.id("support-code"));
        assertThat(site.runCommand("explain", "--code", code)).contains(": dismissed;", "closed the passkey window");

        browser.authenticator().setUserVerified(true);
        browser.press("Try again");
        browser.awaitPath("/account");
    }

    @Test
    void a_blocked_prompt_has_its_own_message() throws IOException {
        signUpAndOut("USER_VERIFICATION", "required");
        browser.authenticator().setUserVerified(false);
        browser.speedUpClock(0.05); // a slow machine stays below one second of page time
        browser.open("/");

        browser.press("Sign in with a passkey");

        browser.awaitText("Your browser didn’t show the passkey prompt.");
        browser.assertAccessible("blocked");
        browser.press("Enter your user name");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("known-user-id"));
    }

    @Test
    void an_unverified_user_is_refused() throws IOException {
        signUpAndOut("USER_VERIFICATION", "required");
        browser.authenticator().setBadUserVerification(true);
        browser.console().expect(browser.site().origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.awaitText("That passkey wasn’t accepted.");
        assertThat(browser.site().logs()).contains("user_not_verified");
    }

    @Test
    void a_prompt_that_times_out_can_be_retried() throws IOException {
        signUpAndOut().restart("CHALLENGE_TTL_MS", "1500");
        browser.authenticator().setUserPresent(false);

        browser.press("Sign in with a passkey");

        browser.awaitText("The passkey prompt timed out.");
        browser.assertAccessible("timeout");
    }

    @Test
    void an_expired_challenge_can_be_retried() throws IOException {
        Site site = signUpAndOut();
        site.restart("CHALLENGE_TTL_MS", "1500");
        browser.console().expect(site.origin() + FINISH, "401");
        browser.prompts().delay(Duration.ofMillis(1600));

        browser.press("Sign in with a passkey");

        browser.awaitText("That took too long. Try again.");
        browser.assertAccessible("expired");
        browser.prompts().delay(Duration.ZERO);
        site.restart("CHALLENGE_TTL_MS", "300000");
        browser.press("Try again");
        browser.awaitPath("/account");
    }

    @Test
    void a_wrong_signature_is_refused_with_a_support_code() throws IOException {
        signUpAndOut();
        browser.authenticator().setBogusSignatures(true);
        browser.console().expect(browser.site().origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.awaitText("That passkey wasn’t accepted.");
        browser.eventually(() -> assertThat(browser.textOf(By.id("support-code")))
                .matches("[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{3}"));
        assertThat(browser.site().logs()).contains("bad_signature");
        browser.assertAccessible("refused");
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector("#alert button")))
                .hasSizeBetween(2, 3));
    }

    @Test
    void autofill_stays_off_after_a_refusal() throws IOException {
        signUpAndOut();
        browser.authenticator().setBogusSignatures(true);
        browser.console().expect(browser.site().origin() + FINISH, "401");
        browser.openOtherWays();
        browser.prompts().chooseFromAutofill();

        browser.awaitText("That passkey wasn’t accepted.");
        browser.press("Create an account");
        browser.awaitText("Create your account");
        assertThat(browser.prompts().hasAutofill()).isFalse();
    }

    @Test
    void another_name_of_this_machine_redirects_at_load() throws IOException {
        Site site = browser.serve();

        browser.openAt("http://127.0.0.1:" + site.port() + "/?return_to=/account");

        browser.awaitPath("/?return_to=/account");
        browser.awaitText("Sign in with a passkey");
    }

    @Test
    void another_origin_shows_an_error_at_load() throws IOException {
        Site site = browser.serve();
        browser.console().expectLine("The Cross-Origin-Opener-Policy header has been ignored");
        String other = "http://porchlight.test:" + site.port();
        browser.console().expect(other + "/auth/passkey/report", "403"); // localhost mode accepts no other host
        browser.openAt(other + "/");

        browser.awaitText("Passkeys don’t work at this address. Use " + site.origin() + " instead.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Sign in with a passkey", "Support code"));
        browser.assertAccessible("wrong-origin");
        browser.press("Go to " + site.origin());
        browser.awaitPath("/");
    }

    @Test
    void a_browser_without_passkeys_shows_an_error_at_load() throws IOException {
        browser.serve();
        browser.runOnEveryPage("delete window.PublicKeyCredential");
        browser.open("/");

        browser.awaitText("This browser doesn’t support passkeys.");
        browser.assertAccessible("unsupported");
    }

    @Test
    void a_service_stop_during_the_prompt_can_be_retried() throws IOException {
        Site site = signUpAndOut();
        browser.prompts().hold();
        browser.press("Sign in with a passkey");
        browser.prompts().awaitHeld();
        browser.console().expect(site.origin() + FINISH, "net::ERR_CONNECTION_REFUSED");
        browser.console().expect(site.origin() + "/auth/passkey/report", "net::ERR_CONNECTION_REFUSED");
        site.close();
        browser.prompts().release();

        browser.awaitText("You’re offline, or the service isn’t responding.");
        assertThat(browser.text()).doesNotContain("Support code");
        assertThat(browser.run("return document.getElementById('last-code').hidden"))
                .as("no code that finds nothing")
                .isEqualTo(true);
        browser.assertAccessible("service-gone");

        site.start();
        browser.press("Try again");
        browser.awaitPath("/account");
    }

    @Test
    void an_offline_page_recovers_when_back_online() throws IOException {
        browser.serve();
        browser.open("/");
        browser.offline(true);
        browser.awaitText("You’re offline.");
        browser.assertAccessible("offline");

        browser.offline(false);
        browser.awaitText("You’re back online.");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        browser.awaitPath("/account");
    }

    @Test
    void too_many_attempts_count_down_until_the_buttons_are_enabled() throws Exception {
        browser.speedUpClock(20);
        Site site = signUpAndOut();
        site.restart("RATE_LIMIT_PER_MINUTE", "1"); // options are accepted every 15 seconds
        browser.console().expect(site.origin() + "/auth/passkey/login/options", "429");
        site.exhaustRateLimit("/auth/passkey/login/options");

        browser.press("Sign in with a passkey");

        browser.awaitText("Too many attempts.");
        browser.eventually(() -> assertThat(browser.text()).containsPattern("Try again in \\d+ second"));
        browser.eventually(() -> assertThat(browser.enabled(By.id("try-again"))).isFalse());
        browser.assertAccessible("limited");
        browser.awaitText("You can try again now.");
        browser.eventually(() -> assertThat(browser.enabled(By.id("try-again"))).isTrue());
    }

    @Test
    void a_passkey_removed_from_the_account_but_not_from_the_device_is_refused() throws Exception {
        Site site = signUpAndOut();
        String ghost = browser.authenticator().credentialIds().get(0);
        site.runCommand("passkeys", "remove", "--force", "--", "ada", ghost);
        browser.console().expect(site.origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.awaitText("It may have been removed");
        browser.awaitText("Support code");
        browser.awaitText("Use your phone");
        assertThat(site.logs()).contains("unknown_credential");
    }

    /** Starts the service, creates a passkey for ada and ends on the sign-in page. */
    private Site signUpAndOut(String... variables) throws IOException {
        Site site = browser.serve(variables);
        browser.signUp("ada");
        browser.signOut();
        return site;
    }
}
