// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.drill.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documentation of the drill matches the code. */
class ReliabilityDocTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    static final Path PAGE = ROOT.resolve("docs/operations/reliability.md");

    /** The id and three more cells; of a row its promises, of a promise its text and its evidence. */
    private static final String LINE = "(?m)^\\| <a id=\"%s\\d+\"></a>([RP]\\d+) \\| (.*?) \\| (.*?) \\|(.*)$";

    @Test
    void every_row_is_in_the_report_and_has_passed() throws IOException {
        assertThat(rows().stream().map(row -> row.group(1)))
                .containsExactlyElementsOf(
                        Scenarios.ALL.stream().map(Scenario::id).toList());
        assertThat(rows())
                .as("run the row to update the report")
                .allMatch(row -> row.group(4).contains("| passed |"));
    }

    @Test
    void every_promise_has_evidence_and_is_in_the_readme() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        List<MatchResult> promises = lines("p");

        assertThat(promises).hasSizeGreaterThan(10);
        for (MatchResult promise : promises) {
            String id = promise.group(1);
            assertThat(promise.group(3)).as(id).isNotBlank();
            assertThat(readme)
                    .contains(promise.group(2))
                    .contains("docs/operations/reliability.md#" + id.toLowerCase(Locale.ROOT) + ")");
        }
    }

    @Test
    void a_promise_links_to_the_rows_that_name_it() throws IOException {
        for (MatchResult promise : lines("p")) {
            List<String> shown = rows().stream()
                    .filter(row -> List.of(row.group(2).split(" ")).contains(promise.group(1)))
                    .map(row -> "[" + row.group(1) + "](#" + row.group(1).toLowerCase(Locale.ROOT) + ")")
                    .toList();
            assertThat(Pattern.compile("\\[R.*?\\)")
                            .matcher(promise.group(3))
                            .results()
                            .map(MatchResult::group))
                    .as(promise.group(1))
                    .containsExactlyElementsOf(shown);
        }
        assertThat(rows().stream().flatMap(row -> List.of(row.group(2).split(" ")).stream()))
                .isSubsetOf(lines("p").stream().map(promise -> promise.group(1)).toList());
    }

    @Test
    void ids_are_unique_and_in_order() {
        assertThat(Scenarios.ALL)
                .extracting(one -> Integer.parseInt(one.id().substring(1)))
                .doesNotHaveDuplicates()
                .isSorted();
    }

    private static List<MatchResult> rows() throws IOException {
        return lines("r");
    }

    private static List<MatchResult> lines(String kind) throws IOException {
        return Pattern.compile(LINE.formatted(kind))
                .matcher(Files.readString(PAGE))
                .results()
                .toList();
    }
}
