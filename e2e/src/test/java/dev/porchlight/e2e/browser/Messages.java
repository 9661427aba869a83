// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/** What the pages of a tab have said in their status region, the pages before this one too: some of it stands for a moment only. */
final class Messages {
    private static final String KEEPER = """
            new MutationObserver(() => {
              const said = document.getElementById('status')?.textContent;
              if (said) sessionStorage.said = `${sessionStorage.said ?? ''}${said}\\n`;
            }).observe(document, {childList: true, subtree: true});
            """;

    private Messages() {}

    /** Keeps them on every page this driver opens from now on. */
    static void keep(ChromeDriver driver) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", KEEPER));
    }

    static String said(ChromeDriver driver) {
        return (String) driver.executeScript("return sessionStorage.said ?? ''");
    }
}
