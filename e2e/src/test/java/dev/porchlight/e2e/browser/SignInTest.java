// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Successful sign-in and sign-out. */
class SignInTest {
    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void a_signed_in_user_sees_their_name_instead_of_the_form() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.open("/");

        browser.awaitText("You’re signed in as ada.");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Sign in with a passkey"));
        browser.assertAccessible("signed-in");
        browser.press("Continue");
        browser.awaitPath("/account");

        browser.open("/");
        browser.run(
                "const real = fetch; window.fetch = (url, init) => String(url).endsWith('/auth/logout') && !window.failed"
                        + " ? (window.failed = true, Promise.resolve(Response.json({ code: 'storage_unavailable' }, { status: 503 })))"
                        + " : real(url, init)");
        browser.press("Use another account");
        browser.awaitText("The service isn’t responding.");
        assertThat(browser.site().runCommand("explain", "--code", browser.codeOfFailure()))
                .contains("A change on the account page", "unavailable");
        browser.press("Try again");
        browser.awaitText("You’re signed out.");
        browser.press("Sign in with a passkey");
        browser.awaitPath("/account");
    }

    @Test
    void signing_out_returns_to_the_sign_in_page() throws IOException {
        browser.serve();
        browser.signUp("ada");

        browser.signOut();
        browser.assertAccessible("signed-out");
        browser.console().expect(browser.site().origin() + "/auth/session", "401");
        browser.open("/account");

        browser.awaitPath("/");
    }

    @Test
    void sign_in_and_sign_up_return_to_an_allowed_address_only() throws IOException {
        Site site = browser.serve("RETURN_URLS", "http://localhost:3000/app");
        browser.open("/?return_to=/openapi.json");
        browser.openSignUp();
        browser.type("User name", "ada");
        browser.press("Create account");
        browser.awaitPath("/openapi.json");

        browser.open("/?return_to=%2Fhealth%2Flive%3Fa%3Db");
        browser.awaitText("You’re signed in as ada.");
        browser.press("Use another account");
        browser.awaitText("You’re signed out.");
        browser.press("Sign in with a passkey");
        browser.awaitPath("/health/live?a=b");

        for (String refused :
                new String[] {"//evil.test/", "/%5Cevil.test/", "https://evil.test/", "javascript:alert(1)"}) {
            browser.open("/?return_to=" + refused);
            browser.awaitText("You’re signed in as ada.");
            browser.press("Continue");
            browser.awaitPath("/account");
        }
        assertThat(site.logs()).contains("return_to ignored");
    }

    @Test
    void the_user_name_selects_between_two_passkeys() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.signUp("grace");
        browser.signOut();

        for (String user : new String[] {"ada", "grace"}) {
            browser.openOtherWays();
            browser.type("User name", user);
            browser.press(By.id("sign-in-by-name-button"));

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
        browser.openOtherWays();
        browser.assertAccessible("other-ways");
        int clicks = browser.clicks();

        browser.prompts().chooseFromAutofill();

        browser.awaitMessage("Welcome back, ada.");
        browser.awaitPath("/account");
        assertThat(browser.clicks()).isEqualTo(clicks);
    }

    @Test
    void autofill_in_the_sign_up_view_signs_in_a_known_user() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.openSignUp();

        browser.prompts().chooseFromAutofill();

        browser.awaitMessage("Welcome back, ada.");
        browser.awaitPath("/account");
    }

    @Test
    void the_button_replaces_pending_autofill() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.signOut();
        browser.openOtherWays();
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
        site.restart("CHALLENGE_TTL_MS", "8000");
        browser.open("/");
        browser.openOtherWays();
        int options = count(site, "GET /auth/passkey/login/options 200");

        browser.eventually(() ->
                assertThat(count(site, "GET /auth/passkey/login/options 200")).isGreaterThan(options + 1));
        browser.prompts().chooseFromAutofill();

        browser.awaitPath("/account");
    }

    @Test
    void an_unknown_path_shows_an_html_page_in_a_browser() throws IOException {
        browser.serve();
        browser.console().expect(browser.site().origin() + "/nowhere", "404");
        browser.open("/nowhere");

        browser.awaitText("Page not found");
        browser.assertAccessible("not-found");
        browser.press("Go to the start page");
        browser.awaitPath("/");
    }

    @Test
    void the_pages_link_to_the_console_in_localhost_mode() throws IOException {
        browser.serve();
        browser.open("/");

        browser.press("Operator console");

        browser.awaitText("Live");
    }

    private static int count(Site site, String line) {
        return site.logs().split(Pattern.quote(line), -1).length - 1;
    }
}
