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

/** What the documents say about the drill is what the drill does. */
class ReliabilityDocTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @Test
    void every_row_is_in_the_report_as_it_is_now_and_has_passed() throws IOException {
        String report = Files.readString(ROOT.resolve("docs/operations/reliability.md"));

        for (Scenario scenario : Scenarios.ALL) {
            assertThat(Report.between(report, "rows").lines())
                    .as("running a row brings the report up to date")
                    .anyMatch(line -> line.startsWith(Report.begin(scenario)) && line.contains("| passed |"));
        }
        assertThat(Report.between(report, "rows").lines()).hasSize(2 + Scenarios.ALL.size());
        assertThat(Report.between(report, "promises")).isEqualTo(Report.promises(Scenarios.ALL));
    }

    @Test
    void every_promise_is_shown_by_something_and_in_the_readme() throws IOException {
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
