// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of traps is complete, and the tests on it exist. */
class TrapsTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root", ".."));
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (T\\d\\d) \\|.*$");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)(?:\\.(\\w+))?`");

    @Test
    void the_page_lists_an_existing_test_for_every_trap() throws IOException {
        List<MatchResult> rows = ROW.matcher(Files.readString(ROOT.resolve("docs/internals/testing.md")))
                .results()
                .toList();
        Map<String, String> sources = sources();

        assertThat(rows)
                .extracting(row -> row.group(1))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 57)
                        .mapToObj("T%02d"::formatted)
                        .toList());
        for (MatchResult row : rows) {
            List<MatchResult> named = NAMED.matcher(row.group()).results().toList();
            assertThat(named).as(row.group()).isNotEmpty();
            for (MatchResult test : named) {
                assertThat(sources).as(row.group()).containsKey(test.group(1));
                if (test.group(2) != null) {
                    assertThat(sources.get(test.group(1)))
                            .as(row.group())
                            .containsPattern("void " + test.group(2) + "\\(");
                }
            }
        }
    }

    /** Test classes and mutation tables by name. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String directory : List.of(
                "base/src/test/java",
                "passkey/src/test/java",
                "server/src/test/java",
                "e2e/src/test/java",
                "testkit/src/main/java/dev/porchlight/testkit/tamper")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                for (Path file :
                        files.filter(it -> it.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.merge(name.substring(0, name.length() - 5), Files.readString(file), String::concat);
                }
            }
        }
        return sources;
    }
}
