// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the links of every documentation page, and that its commands and examples are tested. */
class DocsTest {
    private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
    private static final String DOCS = "e2e/src/test/java/dev/porchlight/e2e/docs/";
    private static final String OPENID = "e2e/src/test/java/dev/porchlight/e2e/browser/OpenIdPage.java";
    private static final Pattern REASON = Pattern.compile("not run: .{12,}");

    /** The test that runs the code blocks of a page, by page and language. */
    private static final Map<String, String> TESTED_BY = Map.ofEntries(
            entry("README.md java", "e2e/src/test/java/dev/porchlight/e2e/ReadmeTest.java"),
            entry("README.md xml", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/library.md java", DOCS + "GettingStartedTest.java"),
            entry("docs/getting-started/library.md sh", DOCS + "GettingStartedTest.java"),
            entry("docs/getting-started/library.md xml", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/openid.md java", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/openid.md sh", OPENID),
            entry("docs/getting-started/service.md sh", DOCS + "GettingStartedTest.java"),
            entry("docs/getting-started/spring-boot.md html", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/spring-boot.md java", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/spring-boot.md js", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/getting-started/spring-boot.md xml", DOCS + "GettingStartedPagesTest.java"),
            entry("docs/guides/library.md java", DOCS + "GuidesTest.java"),
            entry("docs/guides/moving-passkeys.md sh", "server/src/test/java/dev/porchlight/server/MovingTest.java"),
            entry(
                    "docs/guides/observability/README.md java",
                    "observe/src/test/java/dev/porchlight/observe/GuideTest.java"),
            entry(
                    "docs/guides/observability/README.md xml",
                    "observe-spring-boot-starter/src/test/java/dev/porchlight/observe/spring/SpringGuideTest.java"),
            entry("docs/guides/testkit.md java", DOCS + "GuidesTest.java"),
            entry("docs/reference/api.md sh", "server/src/test/java/dev/porchlight/server/ApiDocTest.java"));

    @Test
    void every_link_target_and_anchor_exists() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Page page : Page.all()) {
            for (String link : page.links()) {
                if (!EXTERNAL.matcher(link).matches() && !isValidLink(page, link)) {
                    broken.add(page.name() + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void every_decision_record_has_a_date_and_a_status() throws IOException {
        List<Page> records = Page.all().stream()
                .filter(page -> page.name().matches("docs/internals/adr/\\d.*"))
                .toList();
        assertThat(records)
                .isNotEmpty()
                .allSatisfy(record -> assertThat(record.text())
                        .matches("(?s)# \\d{4} [^\n]+\n\nAccepted on \\d{4}-\\d{2}-\\d{2}\\..*"));
    }

    @Test
    void every_command_and_example_is_tested_or_states_why_not() throws IOException {
        List<String> untested = new ArrayList<>();
        for (Page page : Page.all()) {
            for (Block block : page.blocks()) {
                if (!isTested(page, block)) {
                    untested.add(page.name() + ": "
                            + block.code().lines().findFirst().orElse(""));
                }
            }
        }
        assertThat(untested)
                .as("blocks without a test and without a line <!-- not run: why -->")
                .isEmpty();
    }

    @Test
    void the_test_of_a_page_reads_that_page() throws IOException {
        for (Map.Entry<String, String> entry : TESTED_BY.entrySet()) {
            String page = entry.getKey().split(" ", -1)[0];

            assertThat(Files.readString(Page.ROOT.resolve(entry.getValue())))
                    .as(entry.toString())
                    .contains('"' + page + '"');
            assertThat(Page.ROOT.resolve(page)).exists();
        }
    }

    private static boolean isValidLink(Page from, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? from.file()
                : from.file().resolveSibling(parts[0]).normalize();
        return Files.exists(target)
                && target.startsWith(Page.ROOT)
                && (parts.length == 1 || Page.read(target).anchors().contains(parts[1]));
    }

    /** A block without a language is a diagram or an excerpt, and must not contain commands. */
    private static boolean isTested(Page page, Block block) {
        return switch (block.language()) {
            case "" -> block.code().lines().noneMatch(line -> line.startsWith("./"));
            case "sh", "bash", "shell", "java", "js", "html", "xml" ->
                TESTED_BY.containsKey(page.name() + ' ' + block.language())
                        || REASON.matcher(block.note()).matches();
            default -> true;
        };
    }
}
