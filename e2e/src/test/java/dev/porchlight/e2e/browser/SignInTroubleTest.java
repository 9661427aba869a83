// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** What a person meets when a sign-in goes wrong: what happened, and how to go on. */
@Timeout(120)
class SignInTroubleTest {
    private static final String FINISH = "/auth/passkey/login/finish";

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void cancelling_says_nothing_and_leads_back_to_the_button() throws IOException {
        adaSignsIn();
        browser.authenticator().userIsThere(false);
        browser.press("Sign in with a passkey");
        browser.sees("Follow the steps on your device.");
        browser.everybodyCanUse("prompt");

        browser.press("Cancel");

        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("sign-in-button"));
        assertThat(browser.text()).doesNotContain("Follow the steps", "Support code");
    }

    @Test
    void whoever_fails_the_fingerprint_or_closes_the_window_may_try_again() throws IOException {
        adaSignsIn("USER_VERIFICATION", "required");
        browser.authenticator().userVerifies(false);
        browser.prompts().thinkFor(Duration.ofMillis(1100));
        browser.press("Sign in with a passkey");

        browser.sees("No passkey was used.");
        browser.everybodyCanUse("dismissed");

        browser.authenticator().userVerifies(true);
        browser.press("Try again");
        browser.isAt("/account");
    }

    @Test
    void a_window_that_never_opened_is_told_apart() throws IOException {
        adaSignsIn("USER_VERIFICATION", "required");
        browser.authenticator().userVerifies(false);
        browser.hurry(0.05); // the first second of the page is as long as a slow machine may take
        browser.open("/");

        browser.press("Sign in with a passkey");

        browser.sees("Your browser did not open the passkey window.");
        browser.everybodyCanUse("blocked");
    }

    @Test
    void an_authenticator_that_does_not_verify_its_user_is_refused_by_the_service() throws IOException {
        adaSignsIn("USER_VERIFICATION", "required");
        browser.authenticator().forgetsVerification(true);
        browser.console().expect(browser.site().origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.sees("That passkey was not accepted.");
        assertThat(browser.site().logs()).contains("user_not_verified");
    }

    @Test
    void a_window_left_open_too_long_is_nobodys_fault() throws IOException {
        adaSignsIn().restart("CHALLENGE_TTL_MS", "1500");
        browser.authenticator().userIsThere(false);

        browser.press("Sign in with a passkey");

        browser.sees("The passkey window timed out.");
        browser.everybodyCanUse("timeout");
    }

    @Test
    void a_challenge_that_expired_is_told_as_such() throws IOException {
        Site site = adaSignsIn();
        site.restart("CHALLENGE_TTL_MS", "1500");
        browser.console().expect(site.origin() + FINISH, "401");
        browser.prompts().thinkFor(Duration.ofMillis(1600));

        browser.press("Sign in with a passkey");

        browser.sees("That took too long. Try again.");
        browser.everybodyCanUse("expired");
        browser.prompts().thinkFor(Duration.ZERO);
        browser.press("Try again");
        browser.isAt("/account");
    }

    @Test
    void a_wrong_signature_is_refused_with_a_support_code() throws IOException {
        adaSignsIn();
        browser.authenticator().signsWrongly(true);
        browser.console().expect(browser.site().origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.sees("That passkey was not accepted.");
        assertThat(browser.find(By.id("support-code")).getText())
                .matches("[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{3}");
        assertThat(browser.site().logs()).contains("bad_signature");
        browser.everybodyCanUse("refused");
    }

    @Test
    void a_page_under_another_name_says_that_it_is_set_up_wrongly() throws IOException {
        Site site = browser.serve();
        browser.openAt("http://127.0.0.1:" + site.port() + "/");

        browser.press("Sign in with a passkey");

        browser.sees("This page is set up in a way that blocks passkeys.");
        browser.sees("Support code");
        browser.everybodyCanUse("wrong-origin");
    }

    @Test
    void a_page_that_is_not_secure_says_so_before_anybody_tries() throws IOException {
        Site site = browser.serve();
        browser.console().expectLine("The Cross-Origin-Opener-Policy header has been ignored");
        browser.openAt("http://porchlight.test:" + site.port() + "/");

        browser.sees("Passkeys need a secure page");
        browser.everybodyCanUse("insecure");
    }

    @Test
    void a_browser_without_passkeys_says_so_before_anybody_tries() throws IOException {
        browser.serve();
        browser.onEveryPage("delete window.PublicKeyCredential");
        browser.open("/");

        browser.sees("This browser cannot use passkeys.");
        browser.everybodyCanUse("unsupported");
    }

    @Test
    void a_service_that_stops_while_the_window_is_open_can_be_tried_again() throws IOException {
        Site site = adaSignsIn();
        browser.prompts().hold();
        browser.press("Sign in with a passkey");
        browser.prompts().awaitHeld();
        browser.console().expect(site.origin() + FINISH, "net::ERR_CONNECTION_REFUSED");
        browser.console().expect(site.origin() + "/auth/passkey/report", "net::ERR_CONNECTION_REFUSED");
        site.close();
        browser.prompts().letGo();

        browser.sees("You are offline, or the service did not answer.");
        browser.everybodyCanUse("service-gone");

        site.start();
        browser.press("Try again");
        browser.isAt("/account");
    }

    @Test
    void who_is_offline_is_told_and_goes_on_when_back() throws IOException {
        browser.serve();
        browser.open("/");
        browser.offline(true);
        browser.sees("You are offline.");
        browser.everybodyCanUse("offline");

        browser.offline(false);
        browser.sees("You are back online.");
        browser.type("User name", "ada");
        browser.press("Create an account");
        browser.isAt("/account");
    }

    @Test
    void too_many_attempts_count_down_until_the_buttons_are_back() throws Exception {
        browser.hurry(20);
        Site site = adaSignsIn();
        site.restart("RATE_LIMIT_PER_MINUTE", "1"); // options are accepted every 15 s
        browser.console().expect(site.origin() + "/auth/passkey/login/options", "429");
        site.exhaust("/auth/passkey/login/options");

        browser.press("Sign in with a passkey");

        browser.sees("Too many attempts.");
        assertThat(browser.text()).containsPattern("Try again in \\d+ s");
        assertThat(browser.find(By.id("sign-in-button")).isEnabled()).isFalse();
        browser.everybodyCanUse("limited");
        browser.sees("You can try again now.");
        assertThat(browser.find(By.id("try-again")).isEnabled()).isTrue();
        assertThat(browser.find(By.id("sign-in-button")).isEnabled()).isTrue();
    }

    @Test
    void a_passkey_removed_from_the_account_but_not_from_the_device_is_refused() throws Exception {
        Site site = adaSignsIn();
        String ghost = browser.authenticator().credentialIds().get(0);
        site.operator("credentials", "remove", "ada", ghost, "--force");
        browser.console().expect(site.origin() + FINISH, "401");

        browser.press("Sign in with a passkey");

        browser.sees("It may have been removed");
        browser.sees("Support code");
        browser.sees("Use your phone");
        assertThat(site.logs()).contains("unknown_credential");
    }

    /** Serves, makes ada's passkey and ends on the sign-in page. */
    private Site adaSignsIn(String... variables) throws IOException {
        Site site = browser.serve(variables);
        browser.signUp("ada");
        browser.signOut();
        return site;
    }
}
