// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the table of paths in docs/internals/architecture.md with the routes and the classes that mount them. */
class RouteOwnersTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path SOURCES = ROOT.resolve("server/src/main/java/dev/porchlight/server");
    private static final Pattern OWNER = Pattern.compile("(?m)^\\| (`/.*`) \\| `([\\w.]+Routes|web\\.WebPages)` \\|$");
    private static final Pattern PATH = Pattern.compile("`(/[^`]*)`");
    private static final Pattern ROUTE = Pattern.compile("(?m)^\\| `(/[^`]*)` \\| `[A-Z`, ]+ \\| [^|]+ \\|$");

    @Test
    void each_path_is_in_the_class_that_the_page_names() throws IOException {
        for (Map.Entry<String, String> owner : owners().entrySet()) {
            Path source = SOURCES.resolve(owner.getValue().replace('.', '/') + ".java");
            assertThat(source).content().contains('"' + owner.getKey());
        }
    }

    @Test
    void each_route_has_a_class_and_each_path_a_route() throws IOException {
        Map<String, String> owners = owners();
        Map<String, String> used = new TreeMap<>();
        for (MatchResult route : ROUTE.matcher(Files.readString(ROOT.resolve("docs/reference/api.md")))
                .results()
                .toList()) {
            String path = route.group(1);
            String begins = owners.keySet().stream()
                    .filter(each -> path.equals(each) || path.startsWith(each + "/"))
                    .max(Comparator.comparingInt(String::length))
                    .orElseThrow(() -> new AssertionError("no class is named for " + path));
            used.put(begins, owners.get(begins));
        }
        assertThat(used).isEqualTo(owners);
    }

    private static Map<String, String> owners() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        OWNER.matcher(Files.readString(ROOT.resolve("docs/internals/architecture.md")))
                .results()
                .forEach(row ->
                        PATH.matcher(row.group(1)).results().forEach(path -> owners.put(path.group(1), row.group(2))));
        return owners;
    }
}
