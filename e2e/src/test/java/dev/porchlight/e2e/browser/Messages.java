// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/** The status messages of all pages of a tab. Some messages are visible only briefly. */
final class Messages {
    private static final String RECORDER = """
            new MutationObserver(() => {
              const message = document.getElementById('status')?.textContent;
              if (message) sessionStorage.shown = `${sessionStorage.shown ?? ''}${message}\\n`;
            }).observe(document, {childList: true, subtree: true});
            """;

    private Messages() {}

    /** Records messages on every page that this driver opens from now on. */
    static void record(ChromeDriver driver) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", RECORDER));
    }

    /** Returns the recorded messages. */
    static String shown(ChromeDriver driver) {
        return (String) driver.executeScript("return sessionStorage.shown ?? ''");
    }
}
