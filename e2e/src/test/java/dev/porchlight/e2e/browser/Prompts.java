// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static dev.porchlight.e2e.browser.PageWait.await;

import java.time.Duration;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * Controls the browser's passkey prompts. A virtual authenticator responds immediately, even to a conditional request; these
 * methods delay prompts like a real user.
 */
final class Prompts {
    private static final String SCRIPT = """
            const prompts = window.prompts = {delay: 0, held: false};
            for (const name of isSecureContext ? ['get', 'create'] : []) {
              const real = CredentialsContainer.prototype[name];
              CredentialsContainer.prototype[name] = async function (options) {
                if (options.mediation === 'conditional') {
                  await new Promise((choose, end) => {
                    prompts.choose = value => {
                      delete prompts.choose;
                      choose(value);
                    };
                    options.signal.addEventListener('abort', () => {
                      delete prompts.choose;
                      end(options.signal.reason);
                    });
                  });
                } else {
                  if (prompts.delay) await new Promise(done => setTimeout(done, prompts.delay));
                  if (prompts.held) {
                    await new Promise(done => prompts.release = done);
                    delete prompts.release;
                  }
                }
                return real.call(this, options);
              };
            }
            """;

    private final ChromeDriver driver;

    Prompts(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Installs the control on every page that this driver opens from now on. */
    static void install(ChromeDriver driver) {
        driver.executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument", Map.of("source", "(() => {" + SCRIPT + "})()"));
    }

    /** Waits until the page has started autofill. */
    void awaitAutofill() {
        awaitThat("return 'choose' in prompts");
    }

    boolean hasAutofill() {
        return Boolean.TRUE.equals(driver.executeScript("return 'choose' in prompts"));
    }

    /** Chooses the passkey that autofill offers. */
    void chooseFromAutofill() {
        awaitThat("return 'choose' in prompts && (prompts.choose(), true)"); // atomic, because autofill may be renewed
    }

    /** Delays the following prompts of this page. */
    void delay(Duration time) {
        driver.executeScript("prompts.delay = arguments[0]", time.toMillis());
    }

    /** Blocks each of the following prompts of this page until it is released. */
    void hold() {
        driver.executeScript("prompts.held = true");
    }

    /** Waits until a prompt is blocked, and releases it and all following ones. */
    void release() {
        awaitHeld();
        driver.executeScript("prompts.held = false; prompts.release()");
    }

    /** Waits until a prompt is blocked, and releases it. The next one is blocked again. */
    void releaseOne() {
        awaitHeld();
        driver.executeScript("prompts.release()");
    }

    void awaitHeld() {
        awaitThat("return 'release' in prompts");
    }

    private void awaitThat(String script) {
        await().until(() -> Boolean.TRUE.equals(driver.executeScript(script)));
    }
}
