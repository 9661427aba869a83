// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Builds the documentation site, which fails on dead links, and checks the result. */
@Tag("slow")
class SiteTest {
    private static final Path SITE = Page.ROOT.resolve("target/site");

    /** An element or a style that makes the browser load something from another host; a link that users follow does not. */
    private static final Pattern EXTERNAL = Pattern.compile(
            "<(?:script|img|link|iframe|source|video|audio|object|embed)\\b[^>]*\\b(?:src|srcset|href|data)=\"(?:https?:)?//"
                    + "|url\\(\\s*['\"]?(?:https?:)?//|@import\\s+['\"](?:https?:)?//");

    private static final String NOT_INSTALLED = "could not install";

    @BeforeAll
    static void build() throws Exception {
        Requirements.program("node");
        Requirements.program("npm");
        Path log = Files.createTempFile("site", ".log");
        Process build = new ProcessBuilder(Page.ROOT.resolve("porchlight").toString(), "docs")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();

        String output = Files.readString(log);
        Requirements.check(
                !output.contains(NOT_INSTALLED), "npm could not install the generator of the documentation site");
        assertThat(build.exitValue()).as(output).isZero();
    }

    @Test
    void every_page_is_on_the_site_and_in_its_navigation() throws IOException {
        String home = Files.readString(SITE.resolve("index.html"));

        for (Page page : Page.all()) {
            if (page.name().startsWith("docs/") && !page.name().equals("docs/README.md")) {
                String path = page.name()
                        .substring(5)
                        .replaceAll("README\\.md$", "index.md")
                        .replaceAll("md$", "html");
                assertThat(SITE.resolve(path)).exists();
                if (!path.contains("/adr/") && !path.equals("getting-started/index.html")) {
                    assertThat(home).contains("href=\"/" + path.replaceAll("index\\.html$", "") + '"');
                }
            }
        }
    }

    @Test
    void every_page_has_content() throws IOException {
        for (Path file : files(".html")) {
            if (!file.endsWith("404.html")) {
                assertThat(file).content().contains("<h1");
            }
        }
    }

    @Test
    void no_page_loads_anything_from_another_host() throws IOException {
        List<Path> files = files(".html", ".css");

        assertThat(SITE.resolve("icon.svg")).exists();
        assertThat(files).hasSizeGreaterThan(40);
        for (Path file : files) {
            String text = Files.readString(file);
            assertThat(EXTERNAL.matcher(text).results().map(found -> found.group()))
                    .as(file.toString())
                    .isEmpty();
            if (file.toString().endsWith(".html")) {
                assertThat(text).as(file.toString()).contains("default-src 'self'", "href=\"/icon.svg\"");
            }
        }
    }

    @Test
    void the_search_index_contains_the_sections_of_the_reference() throws IOException {
        List<Path> index = files(".js").stream()
                .filter(file -> file.getFileName().toString().startsWith("@localSearchIndex"))
                .toList();

        assertThat(index).hasSize(1);
        assertThat(Files.readString(index.get(0)))
                .contains("/reference/refusal-codes.html#codes", "/reference/configuration.html#variables");
    }

    private static List<Path> files(String... suffixes) throws IOException {
        try (Stream<Path> files = Files.walk(SITE)) {
            return files.filter(file -> Stream.of(suffixes).anyMatch(file.toString()::endsWith))
                    .toList();
        }
    }
}
