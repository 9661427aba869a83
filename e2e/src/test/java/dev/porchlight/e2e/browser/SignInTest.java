// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Signing up, in and out, when all goes well. */
@Timeout(120)
class SignInTest {
    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void a_stranger_signs_up_and_is_signed_in() throws IOException {
        browser.serve();
        browser.open("/");
        browser.everybodyCanUse("sign-in");

        browser.type("User name", "ada");
        browser.press("Create an account");

        browser.wasTold("Welcome, ada.");
        browser.isAt("/account");
        browser.sees("Signed in as ada");
        assertThat(browser.authenticator().credentials()).hasSize(1);
    }

    @Test
    void signing_out_leads_back_and_the_account_is_closed() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.signOut();
        browser.console().expect(browser.site().origin() + "/auth/session", "401");
        browser.open("/account");

        browser.isAt("/");
    }

    @Test
    void of_two_passkeys_on_the_device_the_one_of_the_user_name_is_used() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.signUp("grace");
        browser.signOut();

        for (String user : new String[] {"ada", "grace"}) {
            browser.type("User name", user);
            browser.press("Sign in with a passkey");

            browser.wasTold("Welcome back, " + user + ".");
            browser.isAt("/account");
            browser.signOut();
        }
    }

    @Test
    void without_a_user_name_the_passkey_says_who_it_is() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();

        browser.press("Sign in with a passkey");

        browser.wasTold("Welcome back, ada.");
        browser.isAt("/account");
    }

    @Test
    void the_passkey_that_autofill_offers_signs_in_without_a_button() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        int clicks = browser.clicks();

        browser.prompts().chooseFromAutofill();

        browser.wasTold("Welcome back, ada.");
        browser.isAt("/account");
        assertThat(browser.clicks()).isEqualTo(clicks);
    }

    @Test
    void a_button_ends_what_autofill_began() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().userIsThere(false);
        browser.prompts().chooseFromAutofill(); // the browser waits for a touch
        browser.authenticator().userIsThere(true);

        browser.press("Sign in with a passkey");

        browser.wasTold("Welcome back, ada.");
        browser.isAt("/account");
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

        browser.isAt("/account");
    }

    @Test
    void an_enrollment_link_makes_the_first_passkey_where_sign_up_is_closed() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        browser.open("/");
        assertThat(browser.text()).contains("Sign in with a passkey").doesNotContain("Create an account");

        browser.openAt(site.operator("enroll", "grace"));
        browser.sees("Create your passkey");
        browser.sees("This link is for the account grace");
        assertThat(browser.address()).doesNotContain("enroll");
        browser.everybodyCanUse("enroll");
        browser.press(By.id("enroll-button"));

        browser.wasTold("Welcome, grace.");
        browser.isAt("/account");
    }

    @Test
    void an_enrollment_link_works_once() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        String link = site.operator("enroll", "grace");
        browser.openAt(link);
        browser.press(By.id("enroll-button"));
        browser.isAt("/account");
        browser.signOut();

        browser.console().expect(site.origin() + "/auth/passkey/register/options", "401");
        browser.openAt(link);
        browser.press(By.id("enroll-button"));

        browser.sees("Support code");
        browser.everybodyCanUse("enroll-again");
    }

    @Test
    void a_name_that_is_taken_is_told_with_two_ways_forward() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.type("User name", "ada");
        browser.press("Create an account");

        browser.sees("This user has a passkey already");
        browser.everybodyCanUse("user-exists");
        browser.press("Sign in as ada");
        browser.isAt("/account");
    }

    @Test
    void an_account_without_a_name_is_asked_for_one() throws IOException {
        browser.serve();
        browser.open("/");

        browser.press("Create an account");

        browser.sees("Choose a user name first");
        assertThat(browser.focused()).isEqualTo("user-id");
        browser.everybodyCanUse("name-missing");
    }

    @Test
    void everything_can_be_done_with_the_keyboard_alone() throws IOException {
        browser.serve();
        browser.open("/");
        browser.keys("\t", "ada", "\t", "\t", " ");

        browser.isAt("/account");
        assertThat(browser.clicks()).isZero();
    }

    private static int count(Site site, String line) {
        return site.logs().split(Pattern.quote(line), -1).length - 1;
    }
}
