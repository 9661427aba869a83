// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** A passkey on another device, by a link or a recovery code. */
class LostDeviceTest {
    private static final By LINK = By.id("device-link");

    @RegisterExtension
    final Browser browser = new Browser();

    @Test
    void another_device_gets_a_passkey_by_the_link_and_this_page_shows_it() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        browser.openAt(site.runCommand("enroll", "ada"));
        browser.press(By.id("enroll-button"));
        browser.awaitPath("/account");

        browser.press("Add on another device");
        browser.awaitText("Scan this code with your phone");
        browser.awaitText("The link expires in 10 minutes.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("device-text"));
        assertThat(browser.run(
                        "const qr = document.getElementById('device-qr'); await qr.decode(); return qr.naturalWidth"))
                .as("the QR code is an image")
                .isNotEqualTo(0L);
        browser.assertAccessible("account-device");

        Browser phone = browser.another();
        phone.openAt(browser.valueOf(LINK));
        phone.awaitText("This link is for the account ada");
        assertThat(phone.address()).doesNotContain("enroll");
        phone.press(By.id("enroll-button"));
        phone.awaitPath("/account");
        phone.awaitText("Signed in as ada");

        browser.awaitText("Your other device has its passkey.");
        browser.eventually(() -> assertThat(browser.passkeyNames()).hasSize(2));
        browser.eventually(() -> assertThat(browser.driver().findElements(LINK)).isEmpty());
    }

    @Test
    void a_link_after_an_old_sign_in_prompts_for_the_passkey_first() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.console().expect(site.origin() + "/auth/passkey/devices", "403");
        site.setClockAhead(Duration.ofMinutes(5));
        browser.prompts().hold();

        browser.press("Add on another device");
        browser.awaitText("Confirm that it’s you with your passkey.");
        browser.eventually(() -> assertThat(browser.driver().findElements(LINK)).isEmpty());
        browser.prompts().release();

        browser.awaitText("Scan this code with your phone");
        browser.press("Close");
        browser.eventually(() -> assertThat(browser.driver().findElements(LINK)).isEmpty());
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("add-device"));
    }

    @Test
    void a_recovery_code_creates_a_passkey_in_a_browser_that_has_none() throws IOException {
        Site site = browser.serve("SIGNUP", "closed");
        List<String> codes = enrolledWithCodes(site);
        browser.signOut();
        browser.switchToSecurityKey(); // an empty one

        browser.openOtherWays();
        browser.press("Use a recovery code");
        browser.awaitText("Create a new passkey with one of your recovery codes.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("recovery-user"));
        browser.assertAccessible("recovery");
        browser.console().expect(site.origin() + "/auth/recovery", "401");
        browser.type("User name", "ada");
        browser.type("Recovery code", "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA");
        browser.press("Continue");
        browser.awaitText("This user name and recovery code weren’t accepted.");
        browser.awaitText("Support code");
        browser.assertAccessible("recovery-refused");
        browser.press("Try again");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("recovery-code"));

        browser.type("Recovery code", codes.get(3).toLowerCase().replace('-', ' '));
        browser.press("Continue");
        browser.awaitText("Your code was accepted. Create a new passkey for ada now.");
        browser.press("Create your passkey");

        browser.awaitPath("/account");
        browser.awaitText("Codes left: 9.");
        browser.eventually(() -> assertThat(browser.passkeyNames()).hasSize(2));
    }

    @Test
    void the_code_of_a_recovery_that_is_limited_is_found_by_the_operator() throws IOException {
        Site site = browser.serve();
        browser.open("/");
        browser.run("const real = fetch; window.fetch = (url, init) => String(url).endsWith('/auth/recovery')"
                + " ? Promise.resolve(Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'Retry-After': 600 } }))"
                + " : real(url, init)");
        browser.openOtherWays();
        browser.press("Use a recovery code");
        browser.type("User name", "ada");
        browser.type("Recovery code", "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA");
        browser.press("Continue");

        browser.awaitText("Too many attempts.");
        assertThat(site.runCommand("explain", "--code", browser.codeOfFailure()))
                .contains("limited");
    }

    @Test
    void codes_are_shown_until_one_of_them_is_typed() throws IOException {
        Site site = browser.serve();
        browser.signUp("ada");
        browser.awaitText("You have no recovery codes.");
        browser.press("Create recovery codes");
        browser.awaitText("These codes are shown only once.");
        browser.eventually(() -> assertThat(browser.focused()).isEqualTo("codes-once"));
        browser.assertAccessible("account-codes");
        List<String> codes = shownCodes();
        assertThat(codes).hasSize(10);
        assertThat(browser.textOf(By.id("codes-owner"))).endsWith("· ada");

        browser.type("Type one of the codes", "AAAAA");
        browser.press("Confirm");
        browser.awaitText("This isn’t one of the new codes.");
        browser.type("Type one of the codes", codes.get(9).toLowerCase());
        browser.press("Confirm");
        browser.awaitText("Your recovery codes are ready.");
        assertThat(browser.text()).contains("Codes left: 10.").doesNotContain(codes.get(0));

        browser.press("Create recovery codes");
        browser.awaitText("Your earlier codes stop working.");
        browser.press(By.id("dialog-replace"));
        browser.awaitText("These codes are shown only once.");
        assertThat(shownCodes()).doesNotContainAnyElementsOf(codes);
        assertThat(site.logs()).doesNotContain(codes.get(0));
    }

    @Test
    void a_recovery_that_waits_is_shown_in_every_session_and_canceled() throws IOException {
        Site site = browser.serve("SIGNUP", "closed", "RECOVERY_DELAY_HOURS", "24");
        List<String> codes = enrolledWithCodes(site);
        Browser thief = browser.another();
        thief.open("/");
        thief.openOtherWays();
        thief.press("Use a recovery code");
        thief.type("User name", "ada");
        thief.type("Recovery code", codes.get(0));
        thief.press("Continue");
        thief.awaitText("Your recovery has started. Come back on");

        browser.open("/account");
        browser.awaitText("Someone started to recover your account");
        browser.assertAccessible("account-recovery");
        browser.press("Cancel the recovery");
        browser.awaitText("The recovery is canceled, and your recovery codes no longer work.");
        browser.awaitText("You have no recovery codes.");

        site.setClockAhead(Duration.ofHours(24));
        thief.console().expect(site.origin() + "/auth/recovery", "401");
        thief.type("Recovery code", codes.get(0));
        thief.press("Continue");
        thief.awaitText("weren’t accepted");
    }

    @Test
    void nothing_offers_codes_where_they_are_turned_off() throws IOException {
        browser.serve("RECOVERY", "off");
        browser.open("/");
        browser.openOtherWays();
        browser.awaitText("Use a passkey from another device");
        assertThat(browser.driver().findElements(By.id("show-recovery"))).isEmpty();
        browser.signUp("ada");
        assertThat(browser.text()).contains("Add on another device").doesNotContain("Recovery codes");
    }

    /** Ends on the account page of ada, who has these codes. */
    private List<String> enrolledWithCodes(Site site) {
        browser.openAt(site.runCommand("enroll", "ada"));
        browser.press(By.id("enroll-button"));
        browser.awaitPath("/account");
        browser.press("Create recovery codes");
        browser.awaitText("These codes are shown only once.");
        List<String> codes = shownCodes();
        browser.type("Type one of the codes", codes.get(0));
        browser.press("Confirm");
        browser.awaitText("Your recovery codes are ready.");
        return codes;
    }

    private List<String> shownCodes() {
        return browser.readAll(".codes code", "one.innerText");
    }
}
