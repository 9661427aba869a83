// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the files on the pages for newcomers with the build and with the example application. */
class GettingStartedPagesTest {
    private static final Page LIBRARY = Page.read("docs/getting-started/library.md");

    /** A file name in code letters, and the block that follows it. */
    private static final Pattern FILE = Pattern.compile("(?m)^`([\\w/.-]+)`[^`]*?:\\n\\n```\\w+\\n((?s:.*?))^```$");

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*(?:<version>([^<]+)</version>)?");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/getting-started/library.md"})
    void dependencies_have_the_versions_of_the_build(String name) throws IOException {
        String build = Files.readString(Page.ROOT.resolve("pom.xml"));
        String shown = Page.read(name).blocks("xml").stream().map(Block::code).collect(Collectors.joining());
        String version = dependency(build, "<artifactId>porchlight</artifactId>");

        assertThat(DEPENDENCY.matcher(shown).results().filter(found -> found.group(3) != null))
                .isNotEmpty()
                .allSatisfy(found -> assertThat(found.group(3))
                        .as(found.group())
                        .isIn(version, "1.0", dependency(build, "<artifactId>" + found.group(2) + "</artifactId>")));
    }

    @Test
    void gradle_and_maven_coordinates_are_the_same() {
        for (Page page : List.of(Page.read("README.md"), LIBRARY)) {
            String maven = page.blocks("xml").get(0).code();
            assertThat(page.blocks("kotlin")).isNotEmpty();
            Matcher gradle = Pattern.compile("\"([^:]+):([^:]+):([^\"]+)\"")
                    .matcher(page.blocks("kotlin").get(0).code());
            while (gradle.find()) {
                assertThat(DEPENDENCY.matcher(maven).results())
                        .as(gradle.group())
                        .anyMatch(found -> found.group(1).equals(gradle.group(1))
                                && found.group(2).equals(gradle.group(2))
                                && gradle.group(3).equals(found.group(3)));
            }
        }
    }

    @Test
    void files_of_the_spring_boot_page_are_those_of_the_example() throws IOException {
        assertFilesAreThoseOf("examples/spring-boot", Page.read("docs/getting-started/spring-boot.md"), "pom.xml");
    }

    @Test
    void files_of_the_openid_connect_page_are_those_of_the_example() throws IOException {
        assertFilesAreThoseOf(
                "examples/spring-oauth2-login",
                Page.read("docs/getting-started/openid.md"),
                "src/main/java/com/example/login/Access.java");
    }

    private static void assertFilesAreThoseOf(String example, Page page, String shown) throws IOException {
        var files = FILE.matcher(page.text()).results().toList();

        assertThat(files)
                .extracting(file -> file.group(1))
                .contains(shown, "src/main/resources/application.properties");
        for (var file : files) {
            String content = lines(Files.readString(Page.ROOT.resolve(example).resolve(file.group(1))));
            if (file.group(1).equals("pom.xml")) {
                assertThat(DEPENDENCY.matcher(file.group(2)).results().map(found -> found.group(2)))
                        .allSatisfy(
                                artifact -> assertThat(content).contains("<artifactId>" + artifact + "</artifactId>"));
                assertThat(file.group(2))
                        .contains(dependency(content, "<artifactId>spring-boot-starter-parent</artifactId>"));
            } else {
                assertThat(content).as(file.group(1)).contains(lines(file.group(2)));
            }
        }
    }

    /** Returns the version that follows an element, or an empty text. */
    private static String dependency(String pom, String artifact) {
        Matcher version = Pattern.compile(Pattern.quote(artifact) + "\\s*<version>([^<]+)</version>")
                .matcher(pom);
        return version.find() ? version.group(1) : "";
    }

    /** The lines of a text without license headers, Javadoc and indentation. */
    private static String lines(String text) {
        return text.replaceAll("(?m)^(//|/\\*\\*) .*\n", "")
                .lines()
                .map(String::strip)
                .collect(Collectors.joining("\n"));
    }
}
