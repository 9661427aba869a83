// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code TEXTS_DIR}, {@code SUPPORT_URL} and {@code PRIVACY_URL}. */
class TextFilesTest {
    @TempDir
    private Path directory;

    @Test
    void each_json_file_is_a_language() throws IOException {
        write("nl.json", "{\"signin.title\":\"Inloggen bij {name}\"}".getBytes(UTF_8));
        write("pt-BR.json", "{}".getBytes(UTF_8));
        write("README.md", "notes".getBytes(UTF_8));

        assertThat(TextFiles.read(directory.toString()).languages())
                .isEqualTo(Map.of("nl", Map.of("signin.title", "Inloggen bij {name}"), "pt-BR", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"a.b\":1}",
                "{\"a.b\":null}",
                "{\"a.b\":{\"c\":\"d\"}}",
                "{\"a.b\":\"x\",\"a.b\":\"y\"}",
                "{\"a.b\":\"x\"} {}",
                "{\"a.b\":\" \"}",
                "{\"a.b\":\"\\u0000\"}",
                "{\"a.b\":\"line\\nbreak\"}",
                "{\"a.b\":\"\\u202eright to left\"}",
                "{\"a.b\":\"\\ud800\"}"
            })
    void another_content_is_refused_with_the_name_of_the_file(String content) throws IOException {
        write("nl.json", content.getBytes(UTF_8));

        assertRefused("nl.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dutch.json", "n.json", "nl_NL.json", "nl .json", "..json", ".json"})
    void a_file_must_be_named_after_a_language(String name) throws IOException {
        write(name, "{}".getBytes(UTF_8));

        assertRefused("must be named after a language");
    }

    @Test
    void files_texts_and_their_number_are_bounded() throws IOException {
        write("nl.json", ("{\"a.b\":\"" + "x".repeat(TextFiles.MAX_TEXT + 1) + "\"}").getBytes(UTF_8));
        assertRefused("a.b must have 1 to 2000 characters");

        write("nl.json", " ".repeat(TextFiles.MAX_BYTES + 1).getBytes(UTF_8));
        assertRefused("nl.json must have at most 64 KiB");

        write("nl.json", "{\"a.b\":\"é\"}".getBytes(ISO_8859_1));
        assertRefused("UTF-8");

        for (int i = 0; i <= TextFiles.MAX_FILES; i++) {
            write("nl-" + (1000 + i) + ".json", "{}".getBytes(UTF_8));
        }
        assertRefused("at most 50 files");
    }

    @Test
    void the_directory_must_exist() {
        assertThatThrownBy(() -> TextFiles.read(directory.resolve("missing").toString()))
                .hasMessageContaining("does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com/help", "mailto:help@example.com", "tel:+15550100"})
    void a_support_contact_is_a_page_a_mailbox_or_a_telephone(String url) {
        assertThat(Parsers.contact(url)).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "help@example.com",
                "javascript:alert(1)",
                "JavaScript:alert(1)//mailto:a@b",
                "data:text/html,x",
                "https://a b",
                "mailto:",
                "/help",
                "//example.com"
            })
    void another_link_is_refused(String url) {
        assertThatThrownBy(() -> Parsers.contact(url)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Parsers.page(url)).isInstanceOf(IllegalArgumentException.class);
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> TextFiles.read(directory.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private void write(String name, byte[] content) throws IOException {
        Files.write(directory.resolve(name), content);
    }
}
