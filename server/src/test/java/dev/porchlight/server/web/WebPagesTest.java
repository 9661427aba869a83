// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebPagesTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @ParameterizedTest
    @CsvSource({
        "assets/, server/src/main/resources/dev/porchlight/server/web/assets",
        "porchlight/, client/src/porchlight"
    })
    void every_file_of_the_directories_is_served(String directory, Path files) throws IOException {
        try (var all = Files.list(ROOT.resolve(files))) {
            assertThat(all.map(file -> file.getFileName().toString()).filter(name -> !name.endsWith(".ts")))
                    .hasSizeGreaterThan(10)
                    .allMatch(name -> WebFile.find(directory, name) != null);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "no-such.js",
                "../console.html",
                "..%2Fconsole.html",
                "..\\console.html",
                "WebFile.class"
            })
    void nothing_else_is_served(String name) {
        assertThat(WebFile.find("assets/", name)).isNull();
    }

    @Test
    void files_outside_the_directories_exist_and_are_not_served() {
        assertThat(WebFile.class.getResource("console.html")).isNotNull();
        assertThat(WebFile.find("", "console.html")).isNull();
        assertThat(WebFile.find("assets/../", "console.html")).isNull();
    }
}
