// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.config.TextFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The languages of the pages, with own texts. */
class OwnTextsTest {
    private static final Map<String, String> VALUES = Map.of(
            "name", "Example",
            "ground", "#fff",
            "logo", "/logo.svg",
            "logoWidth", "1",
            "logoHeight", "1",
            "support", "mailto:help@example.com?subject=\"a\"",
            "privacy", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"fr-CA, en;q=0.5|fr", "ar-EG|ar", "nl|en", "nl, es;q=0.5|es", "*|en", "x;q=y|en", "''|en"})
    void the_best_match_of_the_header_is_chosen(String header, String tag) {
        assertThat(Languages.SHIPPED.choose(List.of(header)).tag()).isEqualTo(tag);
    }

    @Test
    void arabic_is_written_from_right_to_left() {
        assertThat(Languages.SHIPPED.choose(List.of("ar")).direction()).isEqualTo("rtl");
        assertThat(Languages.SHIPPED.choose(List.of("fr")).direction()).isEqualTo("ltr");
    }

    @Test
    void a_file_adds_a_language_and_missing_texts_are_in_english() {
        Languages languages = with(Map.of("nl", Map.of("notfound.title", "Pagina niet gevonden")));
        Language dutch = languages.choose(List.of("nl-BE, nl;q=0.9"));

        assertThat(dutch.tag()).isEqualTo("nl");
        assertThat(dutch.text("notfound.title")).isEqualTo("Pagina niet gevonden");
        assertThat(dutch.text("notfound.lead")).isEqualTo("Check the address, or go back to the start page.");
        assertThat(languages.ofConsole().choose(List.of("nl")).tag()).isEqualTo("en");
        assertThat(languages.faults())
                .singleElement()
                .asString()
                .startsWith("nl.json: no text, so English is used, for account.add, ")
                .contains(" more")
                .doesNotContain("console.");
    }

    @Test
    void a_file_replaces_sentences_of_a_shipped_language() {
        Languages languages = with(Map.of(
                "de", Map.of("notfound.title", "Nix da", "console.title", "Leitstand"),
                "de-CH", Map.of("notfound.title", "Gits nöd")));

        Language german = languages.choose(List.of("de"));
        assertThat(german.text("notfound.title")).isEqualTo("Nix da");
        assertThat(german.text("notfound.button")).isEqualTo("Zur Startseite");
        assertThat(languages.choose(List.of("de-CH")).text("notfound.title")).isEqualTo("Gits nöd");
        assertThat(languages.choose(List.of("de-CH")).text("notfound.button")).isEqualTo("Zur Startseite");
        assertThat(languages.ofConsole().choose(List.of("de")).text("console.title"))
                .isEqualTo("Leitstand");
        assertThat(languages.faults()).isEmpty();
        assertThat(Languages.SHIPPED.choose(List.of("de")).text("notfound.title"))
                .isNotEqualTo("Nix da");
    }

    @Test
    void unknown_keys_and_placeholders_are_reported_and_not_used() {
        Languages languages = with(Map.of(
                "es",
                Map.of(
                        "signin.titel",
                        "x",
                        "signin.title",
                        "{nombre}",
                        "signin.greeting",
                        "Hola",
                        "help.phoneText",
                        "{x.y}")));
        Language spanish = languages.choose(List.of("es"));

        assertThat(languages.faults())
                .containsExactlyInAnyOrder(
                        "es.json: signin.titel is not the key of a text",
                        "es.json: signin.title has no value for {nombre}",
                        "es.json: help.phoneText has no value for {x.y}");
        assertThat(spanish.text("signin.title")).contains("{name}");
        assertThat(spanish.text("signin.greeting")).isEqualTo("Hola");
        assertThat(spanish.texts()).doesNotContainKey("signin.titel");
    }

    @Test
    void a_text_cannot_contain_html() {
        String attack = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
        Language language = with(Map.of("en", Map.of("notfound.title", attack, "error.network", attack)))
                .choose(List.of("en"));

        String page = new String(new PageTemplate("not-found.html").render(language, VALUES), UTF_8);

        assertThat(page).contains("&lt;script&gt;").doesNotContain("<script", "<img src=x");
        assertThat(page).contains("href=\"mailto:help@example.com?subject=&quot;a&quot;\"");
        assertThat(language.json(List.of("error"))).doesNotContain("<");
    }

    private static Languages with(Map<String, Map<String, String>> files) {
        return Languages.with(Optional.of(new TextFiles(files)));
    }
}
