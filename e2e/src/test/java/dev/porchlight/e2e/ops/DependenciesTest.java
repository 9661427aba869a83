// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependencies page lists the jars of the service. */
class DependenciesTest {
    private static final Path JARS = OpsFiles.ROOT.resolve("server/target/app/lib");
    private static final Pattern ROW = Pattern.compile("^\\| `(\\S+)` \\| (\\S+) \\| (.+?) \\|", Pattern.MULTILINE);
    private static final Pattern JAR =
            Pattern.compile("(.+?)-(\\d[\\d.]*(?:-(?:(?:alpha|beta|rc)\\d*|\\d+))?)(-[a-z]+-[a-z0-9_]+)?\\.jar");
    private static final Set<String> ALLOWED = Set.of("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause");

    @Test
    void the_page_lists_exactly_the_jars_and_their_versions() throws IOException {
        assertThat(rows().stream().map(row -> row.get(0) + ' ' + row.get(1)))
                .containsExactlyInAnyOrderElementsOf(jars());
    }

    @Test
    void every_license_is_allowed() throws IOException {
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row ->
                        assertThat(row.get(2).split(" OR ")).as(row.get(0)).containsAnyElementsOf(ALLOWED));
    }

    private static List<List<String>> rows() throws IOException {
        return ROW.matcher(Files.readString(OpsFiles.ROOT.resolve("docs/security/dependencies.md")))
                .results()
                .map(row -> List.of(row.group(1), row.group(2), row.group(3)))
                .toList();
    }

    /** Returns the jars of the package phase, or skips the test without them. */
    private static List<String> jars() throws IOException {
        boolean packaged = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .anyMatch(entry -> entry.startsWith(JARS.toString()));
        Requirements.check(packaged, "this build has not packaged the service");
        try (Stream<Path> files = Files.list(JARS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("porchlight-"))
                    .map(name -> {
                        var jar = JAR.matcher(name);
                        assertThat(jar.matches()).as(name).isTrue();
                        return jar.group(1) + ' ' + jar.group(2);
                    })
                    .toList();
        }
    }
}
