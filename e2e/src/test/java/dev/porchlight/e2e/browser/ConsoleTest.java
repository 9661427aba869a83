// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;

/** The operators' console. */
class ConsoleTest {
    private static final String TOKEN = "an admin token for tests";

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void plots_follow_the_traffic() throws IOException {
        Site site = browser.serve();
        browser.open("/console");
        browser.awaitText("Live");
        browser.find(By.cssSelector("[data-plot=requests] svg"));
        browser.eventually(
                () -> assertThat(browser.textOf(By.id("tile-signins"))).startsWith("0"));

        Browser user = browser.another();
        user.signUp("ada");
        user.signOut();
        user.press("Sign in with a passkey");
        user.awaitPath("/account");

        browser.eventually(
                () -> assertThat(browser.textOf(By.id("tile-signins"))).startsWith("2"));
        browser.eventually(() -> assertThat(browser.textOf(By.cssSelector("[data-plot=signins] .summary")))
                .as("the sign-up and the sign-in")
                .startsWith("2 succeeded"));
        browser.eventually(
                () -> assertThat(browser.textOf(By.id("latest"))).contains("Succeeded", "Sign-in", "New passkey"));
        browser.assertAccessible("console");
        assertThat(site.logs()).doesNotContain("\"level\":\"error\"");
    }

    private void search(String text) {
        browser.open("/console");
        browser.type("Support code", text);
        browser.press("Find");
    }

    @Test
    void a_support_code_finds_the_failed_step_and_its_setting() throws IOException {
        String code = supportCodeOfUnverifiedSignIn();

        search(code.toLowerCase(Locale.ROOT));

        browser.awaitText("1 ceremony found.");
        browser.eventually(() -> assertThat(browser.attributeOf(By.cssSelector("#found .step.failed"), "data-step"))
                .isEqualTo("user_not_verified"));
        browser.eventually(() -> assertThat(browser.driver().findElements(By.cssSelector("#found .step.passed")))
                .isNotEmpty());
        browser.eventually(() ->
                assertThat(browser.textOf(By.cssSelector("#found .setting"))).isEqualTo("USER_VERIFICATION"));
        browser.assertAccessible("console-refused");
    }

    @Test
    void a_support_code_of_a_wrong_origin_shows_the_expected_origin() throws IOException {
        Site site = browser.serve();
        String otherOrigin = "http://127.0.0.1:" + site.port();
        browser.openAt(otherOrigin + "/console");
        String code = (String) browser.run(
                "return import('/porchlight.js').then(client => client.signIn()).catch(error => error.supportCode)");

        search(code);

        browser.awaitText("1 ceremony found.");
        browser.eventually(
                () -> assertThat(browser.textOf(By.id("found"))).contains(otherOrigin, site.origin(), "RP_ORIGIN"));
        browser.assertAccessible("console-wrong-origin");
    }

    @Test
    void a_user_name_finds_the_ceremonies_of_the_user() throws IOException {
        browser.serve();
        browser.signUp("ada");

        search("ada");

        browser.awaitText("New passkey of ada");
        browser.press("Close");
        browser.eventually(
                () -> assertThat(browser.find(By.id("find")).isDisplayed()).isTrue());
    }

    @Test
    void the_code_of_a_mistyped_name_leads_to_the_closest_user() throws IOException {
        browser.serve();
        browser.signUp("grace");
        browser.signOut();
        browser.openOtherWays();
        browser.type("User name", "gracee");
        // Chromium would wait for minutes.
        browser.run("CredentialsContainer.prototype.get = () => new Promise((_, refuse) =>"
                + " setTimeout(() => refuse(new DOMException('', 'NotAllowedError')), 1100))");
        browser.press("Continue");

        search(browser.codeOfFailure());

        browser.awaitText("There is no user with this name.");
        assertThat(browser.text()).doesNotContain("Show gracee");
        assertThat(browser.textOf(By.cssSelector("#found [data-side=browser]"))).doesNotContain("Correlation id");
        browser.press(By.cssSelector("[data-fact=closest_names] a"));
        browser.eventually(() -> assertThat(browser.address()).endsWith("#users/grace"));
    }

    @Test
    void the_code_of_a_damaged_link_leads_to_a_new_one() throws IOException {
        Site site = browser.serve();
        String link = site.runCommand("enroll", "ada");
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "401");
        browser.openAt(link.substring(0, link.length() - 4));
        browser.awaitText("This link is damaged");

        search(browser.codeOfFailure());

        browser.awaitText("Enrollment link of ada");
        browser.press(By.cssSelector("#found [data-invite]"));
        browser.press("Create link");
        browser.awaitText("Enrollment link for ada");
        browser.eventually(
                () -> assertThat(browser.valueOf(By.id("invite-link"))).contains("/#enroll="));
    }

    @Test
    void plots_are_in_the_first_screen() throws IOException {
        browser.serve();
        browser.screen().size(1280, 900, 1, false);
        browser.open("/console");
        browser.awaitText("Live");

        assertThat((Long) browser.run("return [...document.querySelectorAll('[data-plot] svg.plot')]"
                        + ".filter(plot => plot.getBoundingClientRect().bottom <= innerHeight).length"))
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void an_unknown_code_finds_nothing() throws IOException {
        browser.serve();
        search("ZZ-ZZZ");

        browser.awaitText("Nothing found for “ZZ-ZZZ”.");
    }

    @Test
    void a_refused_sign_in_is_explained_step_by_step() throws IOException {
        String code = supportCodeOfUnverifiedSignIn();

        browser.open("/console");
        browser.awaitText("Live");
        browser.tabTo("#find", code.toLowerCase(Locale.ROOT), "\n");
        browser.awaitText("1 ceremony found.");
        browser.tabTo("#found [data-explain]", "\n");

        browser.awaitText("Sign-in: one step failed");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("explained-title"));
        browser.eventually(() -> assertThat(browser.attributeOf(By.cssSelector(".verdict.refused"), "data-step"))
                .isEqualTo("user_not_verified"));
        browser.eventually(() -> assertThat(browser.textOf(By.cssSelector(".verdict.refused")))
                .contains("user verified", "UV set", "UV not set", "USER_VERIFICATION"));
        browser.eventually(() -> assertThat(states("passed"))
                .contains("origin_mismatch", "challenge_not_found", "bad_signature", "sign_count"));
        browser.eventually(() -> assertThat(states("not_reached")).isEmpty());
        browser.assertAccessible("console-explained");
    }

    @Test
    void a_captured_response_is_explained_and_stays_valid() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.open("/console");
        browser.awaitText("Live");
        String response = (String) browser.run("""
            return fetch('/auth/passkey/login/options').then(response => response.json())
                .then(options => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
                .then(credential => JSON.stringify(credential));
            """);

        browser.press(By.cssSelector("#explain-captured > summary"));
        browser.find(By.id("explain-response")).sendKeys(response);
        browser.find(By.id("explain-options")).sendKeys("not-the-challenge");
        browser.press("Explain response");
        browser.awaitText("Sign-in: one step failed");
        browser.eventually(() -> assertThat(states("refused")).containsExactly("challenge_not_found"));
        browser.assertAccessible("console-explained-capture");
        browser.find(By.id("explain-options")).clear();
        browser.press("Explain response");

        browser.awaitText("Sign-in: all steps passed");
        assertThat(browser.run(
                        "return fetch('/auth/passkey/login/finish', { method: 'POST', body: arguments[0], headers: {"
                                + " 'content-type': 'application/json' } }).then(response => response.status)",
                        response))
                .isEqualTo(200L);
    }

    @Test
    void the_admin_token_is_kept_for_the_tab() throws IOException {
        Site site = browser.serve("ADMIN_TOKEN", TOKEN);
        browser.console().expect(site.origin() + "/console/api/stream", "401");
        browser.open("/console");
        browser.awaitText("Sign in as an operator");
        browser.assertAccessible("console-locked");

        browser.type("Token", "not the token");
        browser.press("Open the console");
        browser.awaitText("This token is invalid.");
        browser.type("Token", TOKEN);
        browser.press("Open the console");
        browser.awaitText("Live");

        browser.open("/console");
        browser.awaitText("Live");
    }

    @Test
    void a_lost_connection_is_shown_and_restored() throws IOException {
        Site site = browser.serve();
        browser.open("/console");
        browser.awaitText("Live");
        browser.console().expect(site.origin() + "/console/api/stream", "(net::ERR_\\w+|503)");
        site.close();
        browser.awaitText("Connection lost.");
        browser.assertAccessible("console-lost");

        site.start();

        browser.awaitText("Live");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "de", "es", "fr", "ar"})
    void the_header_fits_with_its_search_button(String language) throws IOException {
        browser.serve();
        browser.runOnEveryPage("""
            {
              const original = fetch;
              const stop = new AbortController();
              window.fetch = (url, init) => original(url, url.endsWith('/stream') ? { ...init, signal: stop.signal } : init);
              window.lose = (state) => {
                window.fetch = () => new Promise(() => {});
                window.setTimeout = (task) => state === 'connecting' && queueMicrotask(task);
                stop.abort();
              };
            }
            """);
        browser.open("/console");
        browser.language(language);

        for (String state : List.of("lost", "connecting")) {
            browser.open("/console");
            browser.find(By.cssSelector("#connection[data-state=live]"));
            assertHeader("live");
            browser.run("lose(arguments[0])", state);
            browser.find(By.cssSelector("#connection[data-state=" + state + "]"));
            assertHeader(state);
        }
    }

    private void assertHeader(String state) {
        for (int width : new int[] {1024, 1100, 1180, 1200, 1280}) {
            browser.screen().size(width, 800, 1, false);
            assertThat(browser.run("""
                const parts = [...document.querySelector('header').children].map(one => one.getBoundingClientRect());
                const text = document.createRange();
                text.selectNodeContents(document.getElementById('connection'));
                return {
                  oneRow: innerWidth < 1200 || Math.max(...parts.map(one => one.top)) < Math.min(...parts.map(one => one.bottom)),
                  lines: new Set([...text.getClientRects()].map(one => one.top)).size,
                  fits: Math.max(...parts.map(one => one.right)) <= innerWidth,
                  find: document.getElementById('find-button').getBoundingClientRect().width >= 40,
                };
                """))
                    .as(state + " at " + width)
                    .isEqualTo(Map.of("oneRow", true, "lines", 1L, "fits", true, "find", true));
        }
    }

    @Test
    void the_console_is_only_on_the_management_port_if_configured() throws IOException {
        Site site = browser.serve("MANAGEMENT_PORT", Integer.toString(Ports.free()));
        browser.openAt(site.managementOrigin() + "/console");
        browser.awaitText("Live");
        site.restart("ADMIN_TOKEN", TOKEN);
        browser.console().expect(site.managementOrigin() + "/console/api/stream", "(net::ERR_\\w+|401|503)");
        browser.openAt(site.managementOrigin() + "/console");
        browser.awaitText("Sign in as an operator");
        browser.eventually(() -> assertThat(browser.text()).doesNotContain("Sign in with your passkey"));
        browser.type("Token", TOKEN);
        browser.press("Open the console");
        browser.awaitText("Live");

        browser.console().expect(site.origin() + "/console", "404");
        browser.open("/console");
        browser.eventually(() -> assertThat(browser.text()).contains("Page not found"));
    }

    private List<String> states(String state) {
        return browser.readAll(".verdict." + state, "one.dataset.step");
    }

    /** Returns the support code of a sign-in that was refused because the user was not verified. */
    private String supportCodeOfUnverifiedSignIn() throws IOException {
        browser.serve("USER_VERIFICATION", "required");
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().setBadUserVerification(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.press("Sign in with a passkey");
        return browser.codeOfFailure();
    }
}
