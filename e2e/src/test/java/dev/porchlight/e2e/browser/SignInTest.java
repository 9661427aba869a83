// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Successful sign-up, sign-in and sign-out. */
@Timeout(120)
class SignInTest {
    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void a_new_user_signs_up_and_is_signed_in() throws IOException {
        browser.serve();
        browser.open("/");
        browser.assertAccessible("sign-in");

        browser.type("User name", "ada");
        browser.press("Create an account");

        browser.awaitMessage("Welcome, ada.");
        browser.awaitPath("/account");
        browser.awaitText("Signed in as ada");
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void signing_out_returns_to_the_sign_in_page() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.signOut();
        browser.console().expect(browser.site().origin() + "/auth/session", "401");
        browser.open("/account");

        browser.awaitPath("/");
    }

    @Test
    void the_user_name_selects_between_two_passkeys() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.signUp("grace");
        browser.signOut();

        for (String user : new String[] {"ada", "grace"}) {
            browser.type("User name", user);
            browser.press("Sign in with a passkey");

            browser.awaitMessage("Welcome back, " + user + ".");
            browser.awaitPath("/account");
            browser.signOut();
        }
    }

    @Test
    void a_user_name_is_not_needed_to_sign_in() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();

        browser.press("Sign in with a passkey");

        browser.awaitMessage("Welcome back, ada.");
        browser.awaitPath("/account");
    }

    @Test
    void autofill_signs_in_without_a_button() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        int clicks = browser.clicks();

        browser.prompts().chooseFromAutofill();

        browser.awaitMessage("Welcome back, ada.");
        browser.awaitPath("/account");
        assertThat(browser.clicks()).isEqualTo(clicks);
    }

    @Test
    void the_button_replaces_pending_autofill() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().setUserPresent(false);
        browser.prompts().chooseFromAutofill(); // waits for the user's touch
        browser.authenticator().setUserPresent(true);

        browser.press("Sign in with a passkey");

        browser.awaitMessage("Welcome back, ada.");
        browser.awaitPath("/account");
    }

    @Test
    void autofill_is_renewed_before_its_challenge_expires() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.signOut();
        site.restart("CHALLENGE_TTL_MS", "4000");
        browser.open("/");
        int options = count(site, "GET /auth/passkey/login/options 200");

        browser.eventually(() ->
                assertThat(count(site, "GET /auth/passkey/login/options 200")).isGreaterThan(options + 1));
        browser.prompts().chooseFromAutofill();

        browser.awaitPath("/account");
    }

    @Test
    void an_enrollment_link_creates_a_passkey_while_sign_up_is_closed() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        browser.open("/");
        assertThat(browser.text()).contains("Sign in with a passkey").doesNotContain("Create an account");

        browser.openAt(site.runCommand("enroll", "grace"));
        browser.awaitText("Create your passkey");
        browser.awaitText("This link is for the account grace");
        assertThat(browser.address()).doesNotContain("enroll");
        browser.assertAccessible("enroll");
        browser.press(By.id("enroll-button"));

        browser.awaitMessage("Welcome, grace.");
        browser.awaitPath("/account");
    }

    @Test
    void an_enrollment_link_works_once() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        String link = site.runCommand("enroll", "grace");
        browser.openAt(link);
        browser.press(By.id("enroll-button"));
        browser.awaitPath("/account");
        browser.signOut();

        browser.console().expect(site.origin() + "/auth/passkey/register/options", "401");
        browser.openAt(link);
        browser.press(By.id("enroll-button"));

        browser.awaitText("Support code");
        browser.assertAccessible("enroll-again");
    }

    @Test
    void a_taken_name_offers_two_choices() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.type("User name", "ada");
        browser.press("Create an account");

        browser.awaitText("This user name is taken.");
        browser.assertAccessible("user-exists");
        browser.press("Sign in as ada");
        browser.awaitPath("/account");
    }

    @Test
    void sign_up_without_a_name_asks_for_one() throws IOException {
        browser.serve();
        browser.open("/");

        browser.press("Create an account");

        browser.awaitText("Choose a user name first");
        assertThat(browser.focused()).isEqualTo("user-id");
        browser.assertAccessible("name-missing");
    }

    @Test
    void sign_up_works_with_the_keyboard_alone() throws IOException {
        browser.serve();
        browser.open("/");
        browser.keys("\t", "ada", "\t", "\t", " ");

        browser.awaitPath("/account");
        assertThat(browser.clicks()).isZero();
    }

    private static int count(Site site, String line) {
        return site.logs().split(Pattern.quote(line), -1).length - 1;
    }
}
