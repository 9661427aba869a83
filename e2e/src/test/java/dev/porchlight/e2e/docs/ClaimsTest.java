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

/** The security pages and the conformance table name existing code and tests, and their totals are correct. */
class ClaimsTest {
    /** The name of a class or of a member in backticks. */
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?`");

    private static final Pattern TEST = Pattern.compile("\\w+(Test|Contract)");
    private static final Pattern THREAT =
            Pattern.compile("(?m)^\\| [STRIDE](?:, [STRIDE])* \\| ([^|]+) \\| ([^|]+) \\| ([^|]*) \\|[^|]*\\|$");

    private static final Pattern REQUIREMENT =
            Pattern.compile("(?m)^\\| (\\d+)\\.(\\d+)\\.(\\d+) \\| ([123]) \\| [^|]+ \\| ([a-z ]+) \\| ([^|]+) \\|$");
    private static final Pattern ANY_REQUIREMENT = Pattern.compile("(?m)^\\| \\d+\\.\\d+\\.\\d+ \\|.*$");
    private static final Pattern TOTAL =
            Pattern.compile("(?m)^\\| \\[?V(\\d+)[^|]*\\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$");
    private static final List<String> VERDICTS = List.of("met", "by deployment", "not met", "not applicable");

    @ParameterizedTest
    @ValueSource(
            strings = {"docs/security/threat-model.md", "docs/security/asvs.md", "SECURITY.md", "docs/guides/openid.md"
            })
    void every_named_class_and_test_exists(String name) throws IOException {
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

    /** Names such as {@code ATest.method} must be methods. */
    @ParameterizedTest
    @ValueSource(
            strings = {"docs/security/threat-model.md", "docs/security/asvs.md", "SECURITY.md", "docs/guides/openid.md"
            })
    void every_named_test_method_exists(String name) throws IOException {
        Map<String, String> sources = sources();

        assertThat(NAMED.matcher(Page.read(name).text()).results().toList())
                .filteredOn(claim ->
                        claim.group(2) != null && TEST.matcher(claim.group(1)).matches())
                .allSatisfy(claim ->
                        assertThat(sources.get(claim.group(1))).containsPattern("\\bvoid " + claim.group(2) + "\\("));
    }

    @Test
    void every_threat_names_a_test_or_explains_why_not() throws IOException {
        List<MatchResult> threats = THREAT.matcher(
                        Page.read("docs/security/threat-model.md").text())
                .results()
                .toList();

        assertThat(threats).hasSizeGreaterThan(60);
        for (MatchResult threat : threats) {
            String evidence = threat.group(3);
            boolean tested = NAMED.matcher(evidence)
                    .results()
                    .anyMatch(claim -> TEST.matcher(claim.group(1)).matches());
            assertThat(tested || evidence.startsWith("no test: "))
                    .as(threat.group(1) + " has the evidence \"" + evidence + "\"")
                    .isTrue();
        }
    }

    @Test
    void every_rule_of_openid_connect_names_a_test() throws IOException {
        String page = Page.read("docs/guides/openid.md").text();
        List<String> rows = page.substring(page.indexOf("| rule |"), page.indexOf("## Tested with real clients"))
                .lines()
                .skip(2)
                .filter(line -> line.startsWith("|"))
                .toList();

        assertThat(rows)
                .hasSizeGreaterThan(40)
                .allSatisfy(row -> assertThat(row).containsPattern("`\\w+Test"));
    }

    @Test
    void every_case_of_a_real_client_names_its_test() throws IOException {
        String page = Page.read("docs/guides/openid.md").text();
        String table = page.substring(page.indexOf("| case |"), page.indexOf("How Spring Security and Apache behave"));

        assertThat(table.lines().skip(2).filter(line -> line.startsWith("|")))
                .hasSize(8)
                .allSatisfy(row -> assertThat(row)
                        .containsPattern("\\| `OpenIdClientTest\\.\\w+` \\| `SpringLoginTest\\.\\w+`.*"
                                + " \\| `ApacheLoginTest\\.\\w+`"));
    }

    @Test
    void the_threat_model_names_more_than_thirty_tests() throws IOException {
        assertThat(NAMED.matcher(Page.read("docs/security/threat-model.md").text())
                        .results())
                .filteredOn(claim -> claim.group(1).endsWith("Test"))
                .hasSizeGreaterThan(30);
    }

    @Test
    void every_requirement_has_a_known_verdict_and_met_ones_have_evidence() throws IOException {
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
    void the_totals_of_the_checklist_match_its_rows() throws IOException {
        String page = Page.read("docs/security/asvs.md").text();
        Map<Integer, Map<String, Integer>> counted = new TreeMap<>();
        REQUIREMENT
                .matcher(page)
                .results()
                .forEach(row -> counted.computeIfAbsent(Integer.valueOf(row.group(1)), chapter -> new LinkedHashMap<>())
                        .merge(row.group(5), 1, Integer::sum));

        Map<Integer, Map<String, Integer>> stated = new TreeMap<>();
        TOTAL.matcher(page).results().forEach(row -> {
            Map<String, Integer> sums =
                    stated.computeIfAbsent(Integer.valueOf(row.group(1)), c -> new LinkedHashMap<>());
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

        assertThat(stated).isEqualTo(counted);
    }

    /** Returns all Java sources by class name. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Page.files(".java", Set.of("target")).toList()) {
            String name = file.getFileName().toString();
            sources.merge(name.substring(0, name.length() - 5), Files.readString(file), String::concat);
        }
        return sources;
    }
}
