// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped languages are available everywhere, with the same sentences in the service and in the client helper. */
class TranslationsTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path SERVER = ROOT.resolve("server/src/main/resources/dev/porchlight/server");
    private static final Path CLIENT = ROOT.resolve("client/src");

    /** A text of several words in the client helper: <code>name: 'text',</code> or <code>name: "text",</code>. */
    private static final Pattern TEXT =
            Pattern.compile("^ {2}(\\w+): (?:'([^']* [^']*)'|\"([^\"]* [^\"]*)\"),$", Pattern.MULTILINE);

    static List<String> translations() {
        return Languages.SHIPPED.translations();
    }

    @Test
    void every_directory_of_texts_has_the_shipped_languages() throws IOException {
        assertThat(files(SERVER.resolve("history"), "causes_(.*)\\.properties"))
                .containsExactlyInAnyOrderElementsOf(translations());
        assertThat(files(CLIENT.resolve("porchlight"), "texts-(.*)\\.js"))
                .containsExactlyInAnyOrderElementsOf(translations());
        for (String catalogs : List.of("web/texts", "web/texts/console")) {
            assertThat(files(SERVER.resolve(catalogs), "(.*)\\.json"))
                    .contains("en")
                    .hasSize(1 + translations().size())
                    .containsAll(translations());
        }
    }

    @Test
    void the_elements_import_the_shipped_languages() throws IOException {
        assertThat(matches("\\b(\\w+): \\(\\) => import\\('\\./texts-\\1\\.js'\\)", read("porchlight/element.js")))
                .containsExactlyInAnyOrderElementsOf(translations());
    }

    @ParameterizedTest
    @MethodSource("translations")
    void an_error_has_the_same_sentence_on_the_pages_and_in_the_elements(String tag) throws IOException {
        Map<String, String> errors = errors(tag);
        errors.remove("browser"); // the elements are not shown there
        errors.remove("unexpected"); // the elements suggest to try again

        assertThat(texts("porchlight/texts-" + tag + ".js")).containsAllEntriesOf(errors);
    }

    @Test
    void an_error_has_the_same_english_sentence_on_the_pages_and_in_the_helper() throws IOException {
        Map<String, String> texts = texts("porchlight.js");
        texts.remove("unsupported"); // shorter, because the helper has little room
        Map<String, String> errors = errors("en");
        errors.replaceAll((code, text) -> text.replace('\u2019', '\''));

        assertThat(texts).hasSizeGreaterThan(10);
        assertThat(errors).containsAllEntriesOf(texts);
    }

    /** The texts of a language for the errors of the client helper. */
    private static Map<String, String> errors(String tag) {
        Map<String, String> errors = new HashMap<>();
        Language.read(tag).texts().forEach((key, text) -> {
            if (key.startsWith("error.")) {
                errors.put(key.substring("error.".length()), text);
            }
        });
        return errors;
    }

    private static Map<String, String> texts(String file) throws IOException {
        return TEXT.matcher(read(file))
                .results()
                .collect(toMap(
                        found -> found.group(1), found -> found.group(2) == null ? found.group(3) : found.group(2)));
    }

    private static String read(String file) throws IOException {
        return Files.readString(CLIENT.resolve(file));
    }

    private static List<String> files(Path directory, String name) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.flatMap(file -> matches(name, file.getFileName().toString()).stream())
                    .toList();
        }
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
