// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * The browser console, which must stay empty. Chromium writes a line for each error response, which pages cannot prevent;
 * tests declare the lines they expect.
 */
final class ConsoleLog {
    private static final String REPORTER = "document.addEventListener('securitypolicyviolation', report =>"
            + " console.error('content security policy: ' + report.violatedDirective + ' ' + report.blockedURI"
            + " + ' ' + report.sourceFile + ':' + report.lineNumber))";

    /** A warning because only ES256 is accepted. */
    private static final String ONE_ALGORITHM = "publicKey.pubKeyCredParams is missing at least one of the default";

    private final ChromeDriver driver;
    private final List<Expected> expected = new ArrayList<>();
    private final List<String> expectedLines = new ArrayList<>();

    private record Expected(String address, String cause) {
        boolean matches(String line) {
            return line.startsWith(address)
                    && line.matches("\\S+ - Failed to load resource: .*\\b" + cause + "\\b.*")
                    && line.substring(address.length()).matches("(\\?\\S*)? - .*");
        }
    }

    ConsoleLog(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Writes content security policy violations to the console of every page that this driver opens from now on. */
    static void reportPolicyViolations(ChromeDriver driver) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", REPORTER));
    }

    /** Expects an error line for this address, with any query, and this status or error. */
    void expect(String address, String cause) {
        expected.add(new Expected(address, cause));
    }

    /** Allows lines that contain this text. */
    void expectLine(String part) {
        expectedLines.add(part);
    }

    /** Returns the lines since the last call. */
    List<LogEntry> lines() {
        return driver.manage().logs().get(LogType.BROWSER).getAll();
    }

    /** Fails if an unexpected line exists, or an expected line does not appear. */
    void check() {
        List<String> lines = new ArrayList<>();
        // The response to the last request of a test can come after its last assertion.
        await().untilAsserted(() -> {
            lines.addAll(errors());
            for (Expected one : expected) {
                assertThat(lines).as("the console").anyMatch(one::matches);
            }
        });
        lines.removeIf(line -> line.contains(ONE_ALGORITHM));
        lines.removeIf(line -> expected.stream().anyMatch(one -> one.matches(line)));
        lines.removeIf(line -> expectedLines.stream().anyMatch(line::contains));
        assertThat(lines).as("errors in the console").isEmpty();
    }

    private List<String> errors() {
        return lines().stream()
                .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }
}
