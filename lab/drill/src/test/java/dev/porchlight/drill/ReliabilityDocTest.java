// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.drill.scenario.Promise;
import dev.porchlight.drill.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The documentation of the drill matches the code. */
class ReliabilityDocTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @Test
    void every_row_is_in_the_report_and_has_passed() throws IOException {
        String report = Files.readString(ROOT.resolve("docs/operations/reliability.md"));

        for (Scenario scenario : Scenarios.ALL) {
            assertThat(Report.between(report, "rows").lines())
                    .as("run the row to update the report")
                    .anyMatch(line -> line.startsWith(Report.begin(scenario)) && line.contains("| passed |"));
        }
        assertThat(Report.between(report, "rows").lines()).hasSize(2 + Scenarios.ALL.size());
        assertThat(Report.between(report, "promises")).isEqualTo(Report.promises(Scenarios.ALL));
    }

    @Test
    void every_promise_has_evidence_and_is_in_the_readme() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));

        for (Promise promise : Promise.values()) {
            boolean shown =
                    Scenarios.ALL.stream().anyMatch(one -> one.promises().contains(promise));
            assertThat(shown || !promise.tests().isEmpty()).as(promise.name()).isTrue();
            assertThat(readme)
                    .contains(promise.text())
                    .contains("docs/operations/reliability.md#" + promise.name().toLowerCase(Locale.ROOT) + ")");
        }
    }

    @Test
    void ids_are_unique_and_in_order() {
        assertThat(Scenarios.ALL)
                .extracting(one -> Integer.parseInt(one.id().substring(1)))
                .doesNotHaveDuplicates()
                .isSorted();
    }
}
