// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Sign-up and enrollment links. */
class SignUpTest {
    /** Holds the response that names the account of an enrollment link until release() is called. */
    private static final String HOLD_FIRST_OPTIONS = """
            {
              const send = fetch;
              window.fetch = (url, init) =>
                url.endsWith('/register/options') && !window.release
                  ? new Promise(done => (window.release = () => done(send(url, init))))
                  : send(url, init);
            }
            """;

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void a_sign_up_asks_for_what_the_operator_wants_to_know() throws IOException {
        Site site = browser.serve("SIGNUP_FIELDS", "name*,email,locale");
        browser.open("/");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.keys(Keys.ENTER);
        browser.awaitText("Fill this in.");
        assertThat(browser.focused()).isEqualTo("profile-name");
        browser.keys("Ada Lovelace", Keys.TAB, "ada", Keys.ENTER);
        browser.awaitText("Enter an email address, such as ada@example.com.");
        browser.assertAccessible("sign-up-fields");

        browser.keys("@example.com", Keys.ENTER);

        browser.awaitPath("/account");
        browser.awaitText("Ada Lovelace");
        assertThat(site.runCommand("users", "show", "ada"))
                .contains("Ada Lovelace", "ada@example.com")
                .doesNotContain("locale");
    }

    @Test
    void a_new_user_signs_up_with_two_clicks_and_one_prompt() throws IOException {
        browser.serve();
        browser.open("/");
        browser.assertAccessible("sign-in");
        browser.openSignUp();
        browser.awaitText("Create your account");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("user-id"));
        browser.assertAccessible("sign-up");

        browser.type("User name", "ada");
        browser.press("Create account");

        browser.awaitMessage("Welcome, ada.");
        browser.awaitPath("/account");
        browser.awaitText("Signed in as ada");
        assertThat(browser.clicks()).isEqualTo(2);
        assertThat(browser.authenticator().credentials()).hasSize(1);
        assertThat(browser.site().logs()).doesNotContain("/auth/passkey/login/finish");
    }

    @Test
    void an_enrollment_link_creates_a_passkey_while_sign_up_is_closed() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        browser.runOnEveryPage(HOLD_FIRST_OPTIONS);
        browser.open("/");
        browser.awaitText("Sign in with a passkey");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Create an account"));

        browser.openAt(site.runCommand("enroll", "grace"));
        browser.awaitText("Create your passkey");
        browser.eventually(
                () -> assertThat(browser.run("return 'release' in window")).isEqualTo(true));
        assertThat(isEnrollmentDisabled()).isTrue();
        browser.run("release()");
        browser.awaitText("This link is for the account grace");
        browser.eventually(() -> assertThat(browser.address()).doesNotContain("enroll"));
        browser.assertAccessible("enroll");
        browser.press(By.id("enroll-button"));

        browser.awaitMessage("Welcome, grace.");
        browser.awaitPath("/account");
    }

    private boolean isEnrollmentDisabled() {
        return (Boolean) browser.run("return document.getElementById('enroll-button').disabled");
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

        browser.awaitText("This link was already used.");
        browser.awaitText("Support code");
        assertThat(isEnrollmentDisabled()).isTrue();
        browser.assertAccessible("enroll-again");
    }

    @Test
    void an_enrollment_link_is_tried_again_without_a_click_under_the_same_code() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        String link = site.runCommand("enroll", "grace");
        browser.speedUpClock(20);
        browser.runOnEveryPage("""
                {
                  const real = fetch;
                  window.traces = [];
                  window.fetch = (url, init) => {
                    if (!String(url).endsWith('/register/options') || window.traces.length === 3) return real(url, init);
                    window.traces.push(new Headers(init.headers).get('traceparent').split('-')[1]);
                    return Promise.resolve(Response.json({ code: 'storage_unavailable', error: 'Storage is unavailable.' }, { status: 503 }));
                  };
                }
                """);
        browser.openAt(link);

        browser.awaitText("This link is for the account grace");
        assertThat(browser.run("return new Set(traces).size")).isEqualTo(1L);
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("isn’t responding"));
        assertThat(isEnrollmentDisabled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/#enroll=", "/#enroll", "/#ENROLL=ENROLL_ABC", "/%23enroll=enroll_abc"})
    void a_damaged_enrollment_link_shows_a_code_that_the_operator_finds(String link) throws IOException {
        Site site = browser.serve();
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "401");
        browser.open(link);

        browser.awaitText("This link is damaged");
        String code = browser.textOf(By.id("support-code"));
        assertThat(site.runCommand("explain", "--code", code)).contains("enrollment_damaged", "instead of 43");
    }

    @Test
    void a_taken_name_offers_two_choices() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");

        browser.awaitText("This user name is taken.");
        browser.awaitText("User name: ada");
        browser.awaitText("Support code");
        browser.assertAccessible("user-exists");
        browser.press("Choose another name");
        browser.awaitText("Choose another user name.");
        browser.press("Create account");
        browser.press(By.id("sign-in-instead"));
        browser.awaitPath("/account");
    }

    @Test
    void a_taken_name_in_another_case_offers_a_sign_in_that_works() throws IOException {
        browser.serve();
        browser.signUp("dave");
        browser.signOut();

        browser.console().expect(browser.site().origin() + "/auth/signup", "409");
        browser.openSignUp();
        browser.type("User name", "Dave");
        browser.press("Create account");
        browser.awaitText("This user name is taken.");
        assertThat(browser.textOf(By.id("sign-in-instead"))).isEqualTo("Sign in");
        browser.press(By.id("sign-in-instead"));
        browser.awaitPath("/account");
    }

    @Test
    void the_name_of_a_failed_attempt_is_not_offered_with_an_enrollment_link() throws IOException {
        browser.serve();
        browser.console().expect(browser.site().origin() + "/auth/passkey/register/options", "401");
        browser.open("/");
        browser.openOtherWays();
        browser.type("User name", "ada.lovelase");

        browser.run("location.hash = '#enroll=enroll_abc'");

        browser.awaitText("This link is damaged");
        assertThat(browser.textOf(By.id("sign-in-instead"))).isEqualTo("Sign in");
    }

    @Test
    void sign_up_without_a_name_asks_for_one_until_the_view_changes() throws IOException {
        browser.serve();
        browser.open("/");
        browser.openSignUp();

        browser.press("Create account");

        browser.awaitText("Choose a user name first");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("user-id"));
        browser.assertAccessible("name-missing");
        browser.press("Sign in");
        browser.openSignUp();
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Choose a user name first"));
    }

    @Test
    void sign_up_account_and_sign_in_work_with_the_keyboard_alone() throws IOException {
        browser.serve();
        browser.open("/");
        browser.eventually(() -> assertThat(browser.text()).contains("Create an account"));
        browser.tabTo("#show-sign-up", " ", "ada", "\n"); // the name field is focused
        browser.awaitPath("/account");
        browser.awaitText("Signed in as ada");

        browser.tabTo(".passkey .rename", "\n", "blue key", "\n");
        browser.awaitText("Renamed to blue key.");
        browser.tabTo(".passkey .remove", "\n");
        browser.awaitText("This is your last passkey");
        browser.keys(Keys.ESCAPE);
        browser.tabTo("#sign-out", "\n");
        browser.awaitText("You’re signed out.");

        browser.tabTo("#sign-in-button", "\n");
        browser.awaitPath("/account");
        assertThat(browser.clicks()).isZero();
    }
}
