// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The pages in other languages, from right to left, and with a brand. */
class LanguagesTest {
    private static final By SIGN_IN = By.id("sign-in-button");
    private static final By SHOW_SIGN_UP = By.id("show-sign-up");
    private static final By SIGN_UP = By.id("sign-up-button");

    /** The visible texts, without those that are the same in every language. */
    private static final String SHOWN_TEXTS = """
            const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const same = 'script, noscript, code, dd, option, .check-name, #user tbody td:nth-child(n + 4)';
            let shown = '';
            while (nodes.nextNode()) {
              const parent = nodes.currentNode.parentElement;
              shown += parent.checkVisibility() && !parent.closest(same) ? `${nodes.currentNode.data}\n` : '';
            }
            return shown;
            """;

    @RegisterExtension
    final Browser browser = new Browser();

    @TempDir
    private Path directory;

    @Test
    void the_pages_are_in_the_language_of_the_browser() throws IOException {
        browser.serve();
        browser.language("de");
        browser.open("/");
        browser.awaitText("Bei Porchlight anmelden");
        browser.assertAccessible("german-sign-in");
        browser.press(SHOW_SIGN_UP);
        browser.press(SIGN_UP);
        browser.awaitText("Wählen Sie zuerst einen Benutzernamen.");
        browser.type("Benutzername", "ada");
        browser.press(SIGN_UP);
        browser.awaitMessage("Willkommen, ada!");
        browser.awaitText("Angemeldet als ada");
        browser.awaitText("Erstellt: gerade eben");
        browser.awaitText("Chrome auf Linux");
        browser.assertAccessible("german-account");
        browser.press("Passkey hinzufügen");
        browser.awaitText("Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.");

        browser.open("/console");
        browser.awaitText("Neuer Passkey von ada");
        browser.awaitText("Prüfungen in Ordnung");
        browser.press(By.cssSelector(".ceremony[data-state=succeeded] summary"));
        browser.awaitText("Dienst prüfte den neuen Passkey: ok");
        browser.assertAccessible("german-console");
        browser.press("Benutzer");
        browser.press("ada");
        browser.awaitText("Passkeys (1)");
        browser.awaitText("Letzte Anmeldung: ");
        browser.assertAccessible("german-console-user");
        browser.press("Sperren …");
        browser.awaitText("ada sperren?");
        browser.press("Abbrechen");

        browser.language("es");
        browser.open("/account");
        browser.awaitText("Sesión iniciada como ada");
        browser.assertAccessible("spanish-account");
        browser.press("Cerrar sesión");
        browser.awaitText("Has cerrado sesión.");
        browser.assertAccessible("spanish-sign-in");

        browser.language("fr-CA");
        browser.open("/");
        browser.awaitText("Se connecter à Porchlight");
        browser.assertAccessible("french-sign-in");
    }

    @Test
    void arabic_pages_are_mirrored_and_contain_only_texts_of_the_catalog() throws IOException {
        browser.serve("SUPPORT_URL", "mailto:help@example.com", "PRIVACY_URL", "https://example.com/privacy");
        browser.language("ar");
        browser.open("/");
        browser.awaitText("الخصوصية");
        assertThat(browser.run("return document.documentElement.lang + ' ' + document.documentElement.dir"))
                .isEqualTo("ar rtl");
        browser.openOtherWays();
        browser.press(By.id("help-summary"));
        assertThat(left("#sign-in-by-name-button")).isLessThan(left("#known-user-id"));
        assertOnlyCatalogTexts();
        browser.assertAccessible("rtl-sign-in");

        browser.press(SHOW_SIGN_UP);
        browser.find(By.id("user-id")).sendKeys("ada");
        browser.press(SIGN_UP);
        browser.awaitPath("/account");
        browser.find(By.cssSelector(".passkey"));
        assertThat(left(".passkey .tile")).isGreaterThan(left(".passkey h2"));
        assertThat(left("#sign-out")).isLessThan(left(".brand"));
        assertOnlyCatalogTexts();
        browser.assertAccessible("rtl-account");
        assertThat(browser.run("return getComputedStyle(document.querySelector('.passkey h2 bdi')).direction"))
                .isEqualTo("rtl");
        browser.press(By.cssSelector(".passkey .rename"));
        assertThat(browser.run("return document.querySelector('.rename-form input').value"))
                .isEqualTo("Chrome على Linux"); // without marks, which names cannot contain
        browser.keys(Keys.ESCAPE);
        browser.press(By.id("add-passkey"));
        browser.find(By.cssSelector("#alert button"));
        assertThat(left("#alert > .icon")).isGreaterThan(left("#alert .text"));
        assertOnlyCatalogTexts();
        browser.press(By.cssSelector(".passkey .remove"));
        assertOnlyCatalogTexts();
        browser.assertAccessible("rtl-dialog");
    }

    @Test
    void support_codes_on_arabic_pages_run_from_left_to_right() throws IOException {
        Site site = browser.serve();
        site.runCommand("clients", "add", "shop", "--redirect-uri", "http://localhost:3000/callback");
        browser.language("ar");
        browser.console().expect(site.origin() + "/auth/passkey/register/options", "401");
        browser.open("/#enroll=enroll_abc");
        browser.find(By.id("support-code"));
        browser.press(By.id("help-summary"));
        assertLeftToRight("#support-code");
        assertLeftToRight("#last-code code");

        browser.console().expect(site.origin() + "/oauth2/authorize", "400");
        browser.open("/oauth2/authorize?client_id=unknown");
        browser.find(By.cssSelector(".support code"));
        assertLeftToRight(".support code");
    }

    /** With digits first, a code is otherwise displayed with its halves exchanged. */
    private void assertLeftToRight(String selector) {
        assertThat(browser.run("const { direction, unicodeBidi } = getComputedStyle(document.querySelector('" + selector
                        + "')); return document.documentElement.dir + ' ' + direction + ' ' + unicodeBidi"))
                .as(selector)
                .isEqualTo("rtl ltr isolate");
    }

    @Test
    void an_arabic_console_is_mirrored_and_contains_only_texts_of_the_catalog() throws IOException {
        browser.serve();
        browser.signUp("ada");
        browser.language("ar");
        browser.open("/console");
        browser.find(By.cssSelector("#tile-ready.good"));
        browser.press(By.cssSelector(".ceremony[data-state=succeeded] summary"));
        assertThat(left("#find-button")).isLessThan(left("#find"));
        assertThat(left("#views")).isLessThan(left(".brand"));
        assertThat(left("[data-plot=latency]")).isLessThan(left("[data-plot=requests]"));
        assertThat(left(".ceremony time")).isLessThan(left(".ceremony .badge"));
        assertThat(browser.run("return document.documentElement.dir"
                        + " + getComputedStyle(document.querySelector('[data-plot=requests] svg')).direction"
                        + " + getComputedStyle(document.querySelector('.ceremony .code')).direction"))
                .as("time runs from left to right, and so do codes")
                .isEqualTo("rtlltrltr");
        assertOnlyCatalogTexts();
        browser.assertAccessible("rtl-console");
        browser.press(By.cssSelector("#views a[href='#users']"));
        browser.press(By.cssSelector("#users a"));
        browser.find(By.cssSelector("#user tbody tr"));
        assertThat(left("#user .items button")).isLessThan(left("#user .item-title"));
        assertOnlyCatalogTexts();
        browser.press(By.cssSelector("#user .actions button"));
        browser.press(By.id("dialog-submit"));
        browser.find(By.id("dialog-close"));
        assertOnlyCatalogTexts();
        browser.assertAccessible("rtl-console-dialog");
    }

    @Test
    void a_bright_color_and_a_wide_logo_stay_accessible() throws IOException {
        Path logo = Files.writeString(
                directory.resolve("logo.svg"),
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 160 40'><rect width='160' height='40' rx='8'"
                        + " fill='#ffd400'/></svg>");
        Site site = browser.serve("RP_LOGO", logo.toString(), "RP_COLOR", "#ffd400", "RP_NAME", "Example");
        site.runCommand("clients", "add", "shop", "--redirect-uri", "http://localhost:3000/callback");
        browser.open("/");
        browser.find(SIGN_IN);
        assertThat(browser.run("return document.querySelector('.hero img').naturalWidth > 0"))
                .isEqualTo(true);
        assertThat(browser.run("return getComputedStyle(document.getElementById('sign-in-button')).backgroundColor"))
                .isNotEqualTo("rgb(29, 48, 89)");
        browser.assertAccessible("brand-sign-in");

        browser.signUp("ada");
        browser.assertAccessible("brand-account");

        browser.console().expect(site.origin() + "/oauth2/authorize", "400");
        browser.open("/oauth2/authorize?client_id=unknown");
        browser.awaitText("Give support this code");
        assertThat(browser.driver().getTitle()).endsWith(" · Example");
        assertThat(browser.run("return document.querySelector('.hero img').getAttribute('src')"))
                .isEqualTo("/assets/brand.svg");
        browser.assertAccessible("brand-openid-error");
    }

    private long left(String selector) {
        return ((Number) browser.run(
                        "return document.querySelector(arguments[0]).getBoundingClientRect().left", selector))
                .longValue();
    }

    /** Fails if the page shows Latin letters other than names, and ids, codes and values of the service. */
    private void assertOnlyCatalogTexts() {
        String shown = (String) browser.run(SHOWN_TEXTS);
        for (String name : List.of("Porchlight", "ada", "Chrome", "Linux", "p50", "p95", "p99", "4xx", "5xx")) {
            shown = shown.replace(name, "");
        }
        assertThat(shown).doesNotContainPattern("[A-Za-z]");
    }
}
