// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static dev.porchlight.e2e.browser.Patience.await;

import java.time.Duration;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * The browser's passkey windows, which nobody sees here. A virtual authenticator answers at once, even what is only offered
 * in a field; a person takes a while, things happen meanwhile, and what is offered is chosen or not.
 */
final class Prompts {
    private static final String WATCHED = """
            const prompts = window.prompts = {thinkFor: 0, held: false};
            for (const name of isSecureContext ? ['get', 'create'] : []) {
              const real = CredentialsContainer.prototype[name];
              CredentialsContainer.prototype[name] = async function (options) {
                if (options.mediation === 'conditional') {
                  await new Promise((choose, end) => {
                    prompts.choose = choose;
                    options.signal.addEventListener('abort', () => {
                      delete prompts.choose;
                      end(options.signal.reason);
                    });
                  });
                } else {
                  if (prompts.thinkFor) await new Promise(done => setTimeout(done, prompts.thinkFor));
                  if (prompts.held) await new Promise(done => prompts.letGo = done);
                }
                return real.call(this, options);
              };
            }
            """;

    private final ChromeDriver driver;

    Prompts(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Watches the windows of every page this driver opens from now on. */
    static void watch(ChromeDriver driver) {
        driver.executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument", Map.of("source", "(() => {" + WATCHED + "})()"));
    }

    /** Waits until the page offers passkeys in its field. */
    void awaitAutofill() {
        awaitThat("return 'choose' in prompts");
    }

    /** Chooses what the page offers in its field. */
    void chooseFromAutofill() {
        awaitThat("return 'choose' in prompts && (prompts.choose(), true)"); // in one go: what is offered is renewed
    }

    /** From now on, on this page, the person looks at a window for so long before answering it. */
    void thinkFor(Duration time) {
        driver.executeScript("prompts.thinkFor = arguments[0]", time.toMillis());
    }

    /** From now on, on this page, windows stay unanswered until {@link #letGo()}. */
    void hold() {
        driver.executeScript("prompts.held = true");
    }

    /** Waits until a window is held, and answers it. */
    void letGo() {
        awaitHeld();
        driver.executeScript("prompts.held = false; prompts.letGo()");
    }

    void awaitHeld() {
        awaitThat("return 'letGo' in prompts");
    }

    private void awaitThat(String script) {
        await().until(() -> Boolean.TRUE.equals(driver.executeScript(script)));
    }
}
