// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.history.Cause;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Refusal codes of OpenID Connect, in the documentation and in the advice for operators. */
class RefusalTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path PAGE = ROOT.resolve("docs/guides/openid.md");
    private static final Path TEXTS = ROOT.resolve("server/src/main/resources/dev/porchlight/server/history");
    private static final Pattern ROW = Pattern.compile("^\\| `[a-z_]+` \\| `[a-z_]+` \\| .* \\|$", Pattern.MULTILINE);

    private static List<String> codes() {
        return Arrays.stream(Reason.values()).map(Reason::code).toList();
    }

    @Test
    void the_page_repeats_the_code_error_and_sentence_of_each_reason_in_order() throws IOException {
        assertThat(ROW.matcher(Files.readString(PAGE)).results().map(MatchResult::group))
                .containsExactlyElementsOf(Arrays.stream(Reason.values())
                        .map(reason ->
                                "| `%s` | `%s` | %s |".formatted(reason.code(), reason.oauthCode(), reason.sentence()))
                        .toList());
    }

    @Test
    void advice_belongs_to_a_code() throws IOException {
        Properties texts = read("causes.properties");

        assertThat(texts.stringPropertyNames())
                .filteredOn(key -> key.startsWith("openid."))
                .allSatisfy(key -> {
                    assertThat(codes()).contains(key.split("\\.", -1)[1]);
                    assertThat(texts.getProperty(key)).matches("[A-Z].*\\.");
                });
    }

    /** The files with translations. */
    static List<String> translations() throws IOException {
        try (Stream<Path> files = Files.list(TEXTS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("causes_"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("translations")
    void every_sentence_is_translated(String file) throws IOException {
        assertThat(read(file).stringPropertyNames())
                .filteredOn(key -> key.matches("openid\\..*\\.(name|what)"))
                .containsExactlyInAnyOrderElementsOf(codes().stream()
                        .flatMap(code -> Stream.of("openid." + code + ".name", "openid." + code + ".what"))
                        .toList());
    }

    private static Properties read(String name) throws IOException {
        var texts = new Properties();
        try (InputStream file = Objects.requireNonNull(Cause.class.getResourceAsStream(name))) {
            texts.load(file);
        }
        return texts;
    }

    @Test
    void a_sentence_fits_into_an_error_description() {
        for (Reason reason : Reason.values()) {
            assertThat(reason.error("K7-4QX").getDescription()).matches("[ !#-\\[\\]-~]+\\."); // RFC 6749, section 5.2
        }
    }
}
