// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** The elements on pages of an application without its own scripts and with a strict policy. */
class ElementsTest {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";
    private static final String ROOT = "document.querySelector('porchlight-signin, porchlight-account').shadowRoot";
    private static final String STYLE =
            ":root { color-scheme: light dark; background: light-dark(#fff, #121212); font-family: sans-serif }";
    private static final String GERMAN =
            "{\"signIn\": \"Mit Passkey anmelden\", \"dismissed\": \"Kein Passkey verwendet.\"}";

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeEach
    void serve() throws IOException {
        browser.serve(Map.of(
                "/app/sign-in",
                page("signin", "<porchlight-signin signup autofill href='/app/account'></porchlight-signin>"),
                "/app/button",
                page("signin", "<porchlight-signin messages='" + GERMAN + "'></porchlight-signin>"),
                "/app/languages",
                page("signin", "<porchlight-signin lang='de' signup></porchlight-signin>"),
                "/app/based",
                page("signin", "<porchlight-signin base='/shop/' href='/app/account'></porchlight-signin>"),
                "/app/account",
                page("account", "<porchlight-account href='/app/sign-in'></porchlight-account>"),
                "/app/page.css",
                Response.of(200, "text/css", STYLE.getBytes(UTF_8))));
    }

    @Test
    void a_user_signs_up_and_manages_passkeys() throws IOException {
        browser.open("/app/sign-in");
        browser.assertAccessible("element-sign-in");
        press("Create an account");
        press("Create account");
        awaitText("Choose a user name first.");
        browser.assertAccessible("element-sign-up");
        browser.keys("ada", Keys.ENTER);

        browser.awaitPath("/app/account");
        awaitText("Signed in as ada");
        browser.assertAccessible("element-account");
        press("Rename");
        browser.keys("blue key", Keys.ENTER);
        awaitText("Renamed to blue key.");

        browser.switchToSecurityKey();
        press("Add a passkey");
        awaitText("Your new passkey is ready.");
        browser.keys(Keys.ESCAPE);
        awaitText("Security key");
        press("Remove", 1);
        awaitText("Remove Security key?");
        browser.assertAccessible("element-remove");
        press("Remove", 2);
        awaitText("Security key was removed.");
        browser.eventually(
                () -> assertThat(browser.authenticator().credentials()).isEmpty());

        press("Remove");
        awaitText("This is your last passkey");
        press("Cancel");
        press("Sign out");
        browser.awaitPath("/app/sign-in");
    }

    @Test
    void a_user_signs_in_with_autofill_or_with_the_keyboard() {
        browser.signUp("ada");
        browser.signOut();

        browser.open("/app/sign-in");
        browser.prompts().chooseFromAutofill();
        browser.awaitPath("/app/account");
        press("Sign out");
        browser.awaitPath("/app/sign-in");

        browser.prompts().awaitAutofill();
        browser.keys(Keys.TAB, "ada", Keys.TAB, Keys.ENTER);
        browser.awaitPath("/app/account");
        awaitText("Signed in as ada");
    }

    @Test
    void a_canceled_prompt_returns_the_focus_and_a_dismissed_one_offers_a_phone() throws IOException {
        browser.signUp("ada");
        browser.signOut();
        browser.open("/app/button");
        browser.authenticator().setUserPresent(false);
        press("Mit Passkey anmelden");
        awaitText("Follow the steps on your device.");
        assertThat(focused()).isEqualTo("Cancel");
        browser.keys(Keys.ENTER);
        browser.eventually(() -> assertThat(focused()).isEqualTo("Mit Passkey anmelden"));
        assertThat(text()).doesNotContain("Follow the steps", "Use your phone");

        browser.authenticator().setUserPresent(true);
        browser.authenticator().setUserVerified(false);
        browser.prompts().delay(Duration.ofMillis(1_100));
        press("Mit Passkey anmelden");
        awaitText("Kein Passkey verwendet.");
        assertThat(focused()).startsWith("Kein Passkey verwendet.");
        awaitText("Use your phone");
        browser.assertAccessible("element-dismissed");

        browser.authenticator().setUserVerified(true);
        browser.run("document.addEventListener('porchlight-signed-in', event => window.seen = event.detail)");
        press("Mit Passkey anmelden");
        awaitText("Welcome back, ada.");
        assertThat(browser.run("return seen.userId + ' ' + seen.signedUp + ' ' + !!seen.token"))
                .isEqualTo("ada false true");
    }

    @Test
    void the_texts_are_in_the_language_of_the_nearest_attribute() {
        browser.open("/app/languages");
        awaitText("Neu hier?");
        press("Konto erstellen");
        press("Konto erstellen");
        awaitText("Wählen Sie zuerst einen Benutzernamen.");

        browser.run("document.querySelector('porchlight-signin').lang = 'es-MX'");
        awaitText("¿Ya tienes una llave de acceso?");
        browser.run("const element = document.querySelector('porchlight-signin');"
                + " element.messages = { signUp: 'Únete' }; element.lang = 'nl'");
        awaitText("Already have a passkey?");
        assertThat(text()).contains("Únete");
    }

    @Test
    void the_routes_are_below_the_base_of_the_element() {
        browser.signUp("ada");
        browser.signOut();
        String missing = browser.site().origin() + "/shop/auth/passkey/";
        browser.console().expect(missing + "login/options", "404");
        browser.console().expect(missing + "report", "404");
        browser.open("/app/based");
        press("Sign in with a passkey");
        browser.eventually(() -> assertThat(alert()).isNotEmpty());

        browser.run("document.querySelector('porchlight-signin').setAttribute('base', '..')");
        press("Sign in with a passkey");
        browser.awaitPath("/app/account");
    }

    @Test
    void an_enrollment_link_that_is_opened_before_the_element_is_connected_is_shown() {
        String token = browser.site().runCommand("enroll", "ada").replaceAll(".*#enroll=", "");
        browser.open("/app/button");
        browser.run(
                "const element = document.createElement('porchlight-signin');"
                        + " await element.openEnrollment(arguments[0]);"
                        + " document.querySelector('porchlight-signin').replaceWith(element)",
                token);

        awaitText("This link is for the account ada.");
    }

    @Test
    void an_element_that_is_moved_while_its_texts_load_starts_once() {
        browser.open("/app/button");

        assertThat(browser.run("const element = document.createElement('porchlight-signin'); let starts = 0;"
                        + " element.start = () => starts++;"
                        + " document.body.append(element); document.body.prepend(element);"
                        + " await element.ready; await new Promise(done => setTimeout(done)); return starts"))
                .isEqualTo(1L);
    }

    @Test
    void autofill_says_nothing_before_the_user_acts() {
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().setBogusSignatures(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.open("/app/sign-in");
        browser.run(
                "window.states = []; new MutationObserver(() => states.push(document.querySelector('porchlight-signin')"
                        + ".dataset.state)).observe(document.querySelector('porchlight-signin'), { attributeFilter: ['data-state'] })");

        browser.prompts().chooseFromAutofill(); // as an authenticator that needs no gesture

        browser.eventually(() ->
                assertThat((String) browser.run("return states.join(' ')")).endsWith("checking ready"));
        assertThat(alert()).isEmpty();
        assertThat(browser.run("return document.activeElement === document.body"))
                .isEqualTo(true);
    }

    @Test
    void a_problem_at_load_is_announced_without_taking_the_focus() {
        browser.runOnEveryPage("delete window.PublicKeyCredential");
        browser.open("/app/sign-in");

        awaitText("This browser doesn’t support passkeys.");
        assertThat(alert()).isNotEmpty();
        assertThat(browser.run("return document.activeElement === document.body"))
                .isEqualTo(true);
    }

    /** As an application with the Spring Boot starter responds. */
    @Test
    void a_page_at_a_wrong_address_offers_the_right_one() {
        browser.runOnEveryPage("""
            {
              const original = fetch;
              const problem = { error: 'No.', code: 'cross_site', status: 403, origin: 'https://shop.example' };
              window.fetch = (url, init) => url.endsWith('/report') ? Promise.resolve(Response.json(problem, { status: 403 })) : original(url, init);
              navigator.credentials.get = () => Promise.reject(new DOMException('', 'SecurityError'));
            }
            """);
        browser.open("/app/button");
        press("Mit Passkey anmelden");

        awaitText("Passkeys don’t work at this address. Use https://shop.example instead.");
        awaitText("Support code");
        browser.run("navigation.addEventListener('navigate', event => {"
                + " event.preventDefault(); document.body.dataset.target = event.destination.url; })");
        press("Go to https://shop.example");
        assertThat(browser.run("return document.body.dataset.target")).isEqualTo("https://shop.example/app/button");
    }

    @Test
    void a_visitor_without_a_session_goes_to_the_sign_in_page() {
        browser.console().expect(browser.site().origin() + "/auth/session", "401");
        browser.open("/app/account");

        browser.awaitPath("/app/sign-in");
    }

    private String alert() {
        return (String) browser.run("return " + ROOT + ".querySelector('[role=alert]').textContent");
    }

    private static Response page(String module, String element) {
        String html = "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Application</title>"
                + "<meta name='viewport' content='width=device-width'><link rel='stylesheet' href='/app/page.css'>"
                + "<link rel='icon' href='data:,'><script type='module' src='/porchlight/" + module
                + "-element.js'></script></head><body><main><h1>Application</h1>" + element + "</main></body></html>";
        return Response.of(200, "text/html; charset=utf-8", html.getBytes(UTF_8))
                .with("Content-Security-Policy", POLICY + "; img-src data:");
    }

    private void press(String text) {
        press(text, 0);
    }

    /** Clicks the visible and enabled button with this text. */
    private void press(String text, int index) {
        browser.eventually(() -> assertThat(browser.run(
                        "const found = [...(ROOT?.querySelectorAll('button') ?? [])].filter(button => button.textContent === arguments[0]"
                                        .replace("ROOT", ROOT)
                                + " && !button.disabled && button.checkVisibility())[arguments[1]]; found?.focus(); found?.click();"
                                + " return !!found",
                        text,
                        index))
                .isEqualTo(true));
    }

    private void awaitText(String text) {
        browser.eventually(() -> assertThat(text()).contains(text));
    }

    private String text() {
        return (String) browser.run(
                "return [...(ROOT?.children ?? [])].map(part => part.innerText).join('\\n')".replace("ROOT", ROOT));
    }

    private String focused() {
        return (String) browser.run("return ROOT.activeElement?.textContent".replace("ROOT", ROOT));
    }
}
