// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * What a page leaves in the console: nothing, not even a warning, except that Chromium itself writes a line for each answer that is an error, and
 * no page can prevent that. A test says which of those it expects.
 */
final class ConsoleLog {
    private static final String REPORTER = "document.addEventListener('securitypolicyviolation', report =>"
            + " console.error('content security policy: ' + report.violatedDirective + ' ' + report.blockedURI"
            + " + ' ' + report.sourceFile + ':' + report.lineNumber))";

    /** A warning that comes with the decision to take ES256 alone. */
    private static final String ONE_ALGORITHM = "publicKey.pubKeyCredParams is missing at least one of the default";

    private final ChromeDriver driver;
    private final List<Expected> expected = new ArrayList<>();
    private final List<String> expectedLines = new ArrayList<>();

    private record Expected(String address, String cause) {
        boolean is(String line) {
            return line.startsWith(address)
                    && line.matches("\\S+ - Failed to load resource: .*\\b" + cause + "\\b.*")
                    && line.substring(address.length()).matches("(\\?\\S*)? - .*");
        }
    }

    ConsoleLog(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Reports of the content security policy go to the console too, on every page this driver opens from now on. */
    static void reportPolicyViolations(ChromeDriver driver) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", REPORTER));
    }

    /** A line that is no fault of the page: this address, whatever its query, is answered with this status or error. */
    void expect(String address, String cause) {
        expected.add(new Expected(address, cause));
    }

    /** A line with this in it is no fault of the page. */
    void expectLine(String part) {
        expectedLines.add(part);
    }

    void clear() {
        driver.manage().logs().get(LogType.BROWSER);
    }

    /** Fails when there is a line that was not expected, or none that was. */
    void check() {
        List<String> lines = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.add(entry.getMessage());
            }
        }
        lines.removeIf(line -> line.contains(ONE_ALGORITHM));
        for (Expected one : expected) {
            assertThat(lines).as("the console").anyMatch(one::is);
            lines.removeIf(one::is);
        }
        expectedLines.forEach(part -> lines.removeIf(line -> line.contains(part)));
        assertThat(lines).as("errors in the console").isEmpty();
    }
}
