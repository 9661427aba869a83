// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** The operator's console. */
@Timeout(120)
class ConsoleTest {
    private static final String TOKEN = "an admin token for tests";

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void plots_appear_and_move_with_the_traffic() throws IOException {
        Site site = browser.serve();
        browser.open("/console");
        browser.sees("Live");
        browser.find(By.cssSelector("[data-plot=requests] svg"));
        assertThat(browser.find(By.id("tile-signins")).getText()).startsWith("0");

        Browser person = browser.another();
        person.signUp("ada");

        browser.eventually(
                () -> assertThat(browser.find(By.id("tile-signins")).getText()).startsWith("1"));
        assertThat(browser.find(By.cssSelector("[data-plot=signins] .summary")).getText())
                .startsWith("1 signed in");
        assertThat(browser.find(By.id("latest")).getText()).contains("Passed", "Sign-in", "New passkey");
        browser.everybodyCanUse("console");
        assertThat(site.logs()).doesNotContain("\"level\":\"error\"");
    }

    @Test
    void the_support_code_of_a_refused_sign_in_leads_to_the_step_and_the_setting() throws IOException {
        String code = codeOfUnverifiedSignIn();

        browser.open("/console");
        browser.type("Support code", code.toLowerCase(Locale.ROOT));
        browser.press("Find");

        browser.sees("One ceremony found.");
        assertThat(browser.find(By.cssSelector("#found .step.failed")).getDomAttribute("data-step"))
                .isEqualTo("user_not_verified");
        assertThat(browser.driver().findElements(By.cssSelector("#found .step.passed")))
                .isNotEmpty();
        assertThat(browser.find(By.cssSelector("#found .setting")).getText()).isEqualTo("USER_VERIFICATION");
        browser.everybodyCanUse("console-refused");
    }

    @Test
    void the_support_code_of_a_page_under_a_wrong_name_leads_to_what_was_expected() throws IOException {
        Site site = browser.serve();
        String wrong = "http://127.0.0.1:" + site.port();
        browser.openAt(wrong + "/");
        browser.press("Sign in with a passkey");
        String code = browser.find(By.id("support-code")).getText();

        browser.open("/console");
        browser.type("Support code", code);
        browser.press("Find");

        browser.sees("One ceremony found.");
        assertThat(browser.find(By.id("found")).getText()).contains(wrong, site.origin(), "RP_ORIGIN");
        browser.everybodyCanUse("console-wrong-origin");
    }

    @Test
    void a_code_that_nobody_has_is_told() throws IOException {
        browser.serve();
        browser.open("/console");
        browser.type("Support code", "ZZ-ZZZ");
        browser.press("Find");

        browser.sees("No ceremony goes by “ZZ-ZZZ”.");
    }

    @Test
    void the_support_code_of_a_refused_sign_in_is_explained_step_by_step() throws IOException {
        String code = codeOfUnverifiedSignIn();

        browser.open("/console");
        browser.find(By.id("explain-code")).sendKeys(code.toLowerCase(Locale.ROOT));
        browser.press("Explain");

        browser.sees("Sign-in: one step refuses it");
        assertThat(browser.focused()).isEqualTo("explained-title");
        assertThat(browser.find(By.cssSelector(".verdict.refused")).getDomAttribute("data-step"))
                .isEqualTo("user_not_verified");
        assertThat(browser.find(By.cssSelector(".verdict.refused")).getText())
                .contains("user verified", "UV set", "UV not set", "USER_VERIFICATION");
        assertThat(states("passed")).contains("origin_mismatch", "challenge_not_found", "bad_signature", "sign_count");
        assertThat(states("not_reached")).isEmpty();
        browser.everybodyCanUse("console-explained");

        browser.open("/console");
        browser.type("Support code", code);
        browser.press("Find");
        browser.press("Explain every step");

        browser.sees("Sign-in: one step refuses it");
    }

    @Test
    void a_response_that_was_captured_is_explained_and_stays_good() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.open("/console");
        browser.sees("Live");
        String response = (String) browser.run("""
                return fetch('/auth/passkey/login/options').then(answer => answer.json())
                    .then(options => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
                    .then(credential => JSON.stringify(credential));
                """);

        browser.press(By.cssSelector("#explain-captured > summary"));
        browser.find(By.id("explain-response")).sendKeys(response);
        browser.find(By.id("explain-options")).sendKeys("not-the-challenge");
        browser.press("Explain the response");
        browser.sees("Sign-in: one step refuses it");
        assertThat(states("refused")).containsExactly("challenge_not_found");
        browser.everybodyCanUse("console-explained-capture");
        browser.find(By.id("explain-options")).clear();
        browser.press("Explain the response");

        browser.sees("Sign-in: no step refuses it");
        assertThat(browser.run(
                        "return fetch('/auth/passkey/login/finish', { method: 'POST', body: arguments[0],"
                                + " headers: { 'content-type': 'application/json' } }).then(answer => answer.status)",
                        response))
                .isEqualTo(200L);

        browser.console().expect(site.origin() + "/console/api/explain", "404");
        browser.find(By.id("explain-code")).sendKeys("ZZ-ZZZ");
        browser.press("Explain");
        browser.sees("This instance keeps no refused response that goes by this code");
    }

    @Test
    void asks_for_the_admin_token_and_keeps_it_for_the_tab() throws IOException {
        Site site = browser.serve("ADMIN_TOKEN", TOKEN);
        browser.console().expect(site.origin() + "/console/api/stream", "401");
        browser.open("/console");
        browser.sees("This needs the admin token");
        browser.everybodyCanUse("console-locked");

        browser.type("Admin token", "not the token");
        browser.press("Open the console");
        browser.sees("That token was not accepted.");
        browser.type("Admin token", TOKEN);
        browser.press("Open the console");
        browser.sees("Live");

        browser.open("/console");
        browser.sees("Live");
    }

    @Test
    void a_lost_connection_is_told_and_taken_up_again() throws IOException {
        Site site = browser.serve();
        browser.open("/console");
        browser.sees("Live");
        browser.console().expect(site.origin() + "/console/api/stream", "(net::ERR_\\w+|503)");
        site.close();
        browser.sees("Connection lost.");
        browser.everybodyCanUse("console-lost");

        site.start();

        browser.sees("Live");
    }

    @Test
    void lives_on_the_management_port_alone_where_there_is_one() throws IOException {
        Site site = browser.serve("MANAGEMENT_PORT", Integer.toString(Ports.free()));
        browser.openAt(site.managementOrigin() + "/console");
        browser.sees("Live");

        browser.console().expect(site.origin() + "/console", "404");
        browser.open("/console");
        assertThat(browser.text()).contains("not_found");
    }

    private List<String> states(String state) {
        return browser.driver().findElements(By.cssSelector(".verdict." + state)).stream()
                .map(step -> step.getDomAttribute("data-step"))
                .toList();
    }

    /** The support code of a sign-in that was refused because the user was not verified. */
    private String codeOfUnverifiedSignIn() throws IOException {
        browser.serve("USER_VERIFICATION", "required");
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().forgetsVerification(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.press("Sign in with a passkey");
        return browser.find(By.id("support-code")).getText();
    }
}
