// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/** Accessibility checks with axe-core. */
final class Axe {
    private static final String SCRIPT = script();

    /** All rules except experimental ones, plus target size, which is off by default. */
    private static final String ALL = "{rules: {'target-size': {enabled: true}}}";

    private static final String CONTRAST = "{runOnly: ['color-contrast']}";

    private static final String RUN = """
            const done = arguments[0];
            if (!('axe' in window)) return done(null);
            axe.run(document, {resultTypes: ['violations'], ...RULES}).then(
                found => done(found.violations.map(violation => violation.id + ': ' + violation.help + '\\n'
                    + violation.nodes.map(node => '    ' + node.html + '\\n    ' + node.failureSummary).join('\\n'))),
                error => done([String(error)]));
            """;

    private Axe() {}

    static void check(ChromeDriver driver, String what) {
        check(driver, what, ALL);
    }

    /** Checks the color contrast only. */
    static void checkContrast(ChromeDriver driver, String what) {
        check(driver, what, CONTRAST);
    }

    private static void check(ChromeDriver driver, String what, String rules) {
        String run = RUN.replace("RULES", rules);
        Object violations = driver.executeAsyncScript(run);
        if (violations == null) {
            // takes a third of the CPU time of executeScript
            driver.executeCdpCommand("Runtime.evaluate", Map.of("expression", SCRIPT));
            violations = driver.executeAsyncScript(run);
        }
        assertThat(violations).as("accessibility of " + what).isEqualTo(List.of());
    }

    private static String script() {
        try (var in = Axe.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), UTF_8) + ";0"; // a short result
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
