// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What people fetch: Maven artifacts, the BOM and the launchers of the distribution. */
class PublishingTest {
    private static final Path ROOT = OpsFiles.ROOT;

    @Test
    void the_bom_lists_exactly_the_published_modules_in_their_version() throws IOException {
        TreeSet<String> published = new TreeSet<>();
        for (String module : modules()) {
            String pom = read(module + "/pom.xml");
            boolean skipped = pom.contains("<maven.deploy.skip>true<");
            assertThat(skipped).as(module).isEqualTo(module.startsWith("lab/") || module.equals("e2e"));
            if (!skipped && !module.equals("bom")) {
                published.add(artifact(pom));
                assertThat(pom).as(module).contains("<name>", "<description>");
            }
        }
        String bom = read("bom/pom.xml");
        assertThat(groups(bom.substring(bom.indexOf("<dependencyManagement>")), "<artifactId>([\\w-]+)<"))
                .containsExactlyElementsOf(published);
        assertThat(groups(bom, "(?m)^  <version>(.*)<")).isEqualTo(groups(read("pom.xml"), "(?m)^  <version>(.*)<"));
    }

    @Test
    void the_metadata_that_registries_require_is_complete_and_the_same_in_the_bom() throws IOException {
        String parent = read("pom.xml");
        String bom = read("bom/pom.xml");
        for (String element : List.of("url", "licenses", "developers")) {
            String value = parent.substring(
                    parent.indexOf("  <" + element + ">"),
                    parent.indexOf("</" + element + ">", parent.indexOf("  <" + element + ">")));
            assertThat(bom).contains(value);
        }
        assertThat(groups(bom, "(?s)<scm>\\s*(.*?)\\s*</scm>"))
                .isEqualTo(groups(parent, "(?s)<scm [^>]*>\\s*(.*?)\\s*</scm>"));
        assertThat(groups(bom, "outputTimestamp>(.*?)<")).isEqualTo(groups(parent, "outputTimestamp>(.*?)<"));
    }

    @Test
    void a_release_stages_every_published_module() throws IOException {
        String staged = groups(read("ops/release/stage"), "(?m)^modules=(.*)$").get(0);

        assertThat(staged.split(",", -1))
                .containsExactlyInAnyOrderElementsOf(modules().stream()
                        .filter(module -> !module.startsWith("lab/") && !module.equals("e2e"))
                        .toList());
    }

    @Test
    void the_windows_launcher_starts_the_same_programs_with_the_same_options() throws IOException {
        String unix = read("server/src/main/bin/porchlight");
        String windows = read("server/src/main/bin/porchlight.cmd");

        for (String pattern : List.of(
                "dev\\.porchlight\\.(?:server|canary)\\.Main",
                "-XX:\\+ExitOnOutOfMemoryError",
                "--enable-native-access=[\\w-]+",
                "-Xss\\w+",
                "-Xms\\w+",
                "-XX:\\+UseSerialGC")) {
            assertThat(new TreeSet<>(groups(windows, "(" + pattern + ")")))
                    .isNotEmpty()
                    .isEqualTo(new TreeSet<>(groups(unix, "(" + pattern + ")")));
        }
        assertThat(groups(windows, "goto :(\\w+)"))
                .allSatisfy(label -> assertThat(windows).containsPattern("(?m)^:" + label + "$"));
        assertThat(windows).doesNotContain("\t");
        assertThat(read("ops/dist/assembly.xml")).contains("porchlight.cmd</source>", "<lineEnding>dos</lineEnding>");
    }

    private static List<String> modules() throws IOException {
        String pom = read("pom.xml");
        return groups(pom.substring(0, pom.indexOf("</modules>")), "<module>(.*?)</module>");
    }

    private static String artifact(String pom) {
        return groups(pom, "(?m)^  <artifactId>(.*?)<").get(0);
    }

    private static List<String> groups(String text, String pattern) {
        try (Stream<MatchResult> results =
                Pattern.compile(pattern).matcher(text).results()) {
            return results.map(result -> result.group(1)).collect(Collectors.toList());
        }
    }

    private static String read(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }
}
