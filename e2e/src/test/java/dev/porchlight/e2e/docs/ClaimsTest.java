// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages about security claim: the code and the tests they name are there, and their sums are right. */
class ClaimsTest {
    /** A class, or one of its members: what is in code letters and begins as a class does. */
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?`");

    private static final Pattern TEST = Pattern.compile("\\w+(Test|Contract)");
    private static final Pattern THREAT =
            Pattern.compile("(?m)^\\| [STRIDE](?:, [STRIDE])* \\| ([^|]+) \\| ([^|]+) \\| ([^|]*) \\|[^|]*\\|$");

    private static final Pattern REQUIREMENT =
            Pattern.compile("(?m)^\\| (\\d+)\\.(\\d+)\\.(\\d+) \\| ([123]) \\| [^|]+ \\| ([a-z ]+) \\| ([^|]+) \\|$");
    private static final Pattern ANY_REQUIREMENT = Pattern.compile("(?m)^\\| \\d+\\.\\d+\\.\\d+ \\|.*$");
    private static final Pattern SUM =
            Pattern.compile("(?m)^\\| \\[?V(\\d+)[^|]*\\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$");
    private static final List<String> VERDICTS = List.of("met", "by deployment", "not met", "not applicable");

    @ParameterizedTest
    @ValueSource(strings = {"docs/security/threat-model.md", "docs/security/asvs.md", "SECURITY.md"})
    void every_class_and_test_that_is_named_is_there(String name) throws IOException {
        Page page = Page.read(name);
        Map<String, String> sources = sources();

        List<MatchResult> named = NAMED.matcher(page.text()).results().toList();

        for (MatchResult claim : named) {
            assertThat(sources).as(name).containsKey(claim.group(1));
            if (claim.group(2) != null) {
                assertThat(sources.get(claim.group(1)))
                        .as(name + ": " + claim.group())
                        .containsPattern("\\b" + claim.group(2) + "\\b");
            }
        }
    }

    /** A class alone may be anything that exists; a method of a test is a method that runs. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/security/threat-model.md", "docs/security/asvs.md", "SECURITY.md"})
    void every_method_of_a_test_that_is_named_is_a_method(String name) throws IOException {
        Map<String, String> sources = sources();

        assertThat(NAMED.matcher(Page.read(name).text()).results().toList())
                .filteredOn(claim ->
                        claim.group(2) != null && TEST.matcher(claim.group(1)).matches())
                .allSatisfy(claim ->
                        assertThat(sources.get(claim.group(1))).containsPattern("\\bvoid " + claim.group(2) + "\\("));
    }

    @Test
    void every_threat_names_the_test_that_shows_it_stopped_or_says_that_there_is_none() throws IOException {
        List<MatchResult> threats = THREAT.matcher(
                        Page.read("docs/security/threat-model.md").text())
                .results()
                .toList();

        assertThat(threats).hasSizeGreaterThan(60);
        for (MatchResult threat : threats) {
            String shown = threat.group(3);
            boolean tested = NAMED.matcher(shown)
                    .results()
                    .anyMatch(claim -> TEST.matcher(claim.group(1)).matches());
            assertThat(tested || shown.startsWith("no test: "))
                    .as(threat.group(1) + " is shown by \"" + shown + "\"")
                    .isTrue();
        }
    }

    @Test
    void the_threat_model_names_tests() throws IOException {
        assertThat(NAMED.matcher(Page.read("docs/security/threat-model.md").text()).results())
                .filteredOn(claim -> claim.group(1).endsWith("Test"))
                .hasSizeGreaterThan(30);
    }

    @Test
    void every_requirement_has_one_of_four_verdicts_and_what_is_met_has_evidence() throws IOException {
        Page page = Page.read("docs/security/asvs.md");
        List<MatchResult> rows = REQUIREMENT.matcher(page.text()).results().toList();

        assertThat(rows)
                .extracting(row -> row.group())
                .containsExactlyElementsOf(ANY_REQUIREMENT
                        .matcher(page.text())
                        .results()
                        .map(MatchResult::group)
                        .toList());
        assertThat(rows).extracting(row -> row.group(5)).isSubsetOf(VERDICTS);
        assertThat(rows)
                .filteredOn(row -> row.group(5).equals("met"))
                .allSatisfy(row -> assertThat(row.group(6)).containsPattern("`|\\]\\("));
    }

    @Test
    void the_sums_of_the_checklist_are_those_of_its_rows() throws IOException {
        String page = Page.read("docs/security/asvs.md").text();
        Map<Integer, Map<String, Integer>> counted = new TreeMap<>();
        REQUIREMENT
                .matcher(page)
                .results()
                .forEach(row -> counted.computeIfAbsent(Integer.valueOf(row.group(1)), chapter -> new LinkedHashMap<>())
                        .merge(row.group(5), 1, Integer::sum));

        Map<Integer, Map<String, Integer>> told = new TreeMap<>();
        SUM.matcher(page).results().forEach(row -> {
            Map<String, Integer> sums = told.computeIfAbsent(Integer.valueOf(row.group(1)), c -> new LinkedHashMap<>());
            int all = 0;
            for (int i = 0; i < VERDICTS.size(); i++) {
                int sum = Integer.parseInt(row.group(i + 3));
                all += sum;
                if (sum > 0) {
                    sums.put(VERDICTS.get(i), sum);
                }
            }
            assertThat(row.group(2)).as(row.group()).isEqualTo(Integer.toString(all));
        });

        assertThat(told).isEqualTo(counted);
    }

    /** Everything in Java, by the name of its file. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Page.files(".java", Set.of("target")).toList()) {
            String name = file.getFileName().toString();
            sources.merge(name.substring(0, name.length() - 5), Files.readString(file), String::concat);
        }
        return sources;
    }
}
