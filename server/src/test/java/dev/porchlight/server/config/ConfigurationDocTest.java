// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationDocTest {
    @Test
    void the_page_lists_exactly_the_settings() throws IOException {
        var page =
                Files.readAllLines(Path.of(System.getProperty("porchlight.root"), "docs/reference/configuration.md"));

        assertThat(page.stream().filter(line -> line.startsWith("| `")))
                .containsExactlyElementsOf(Settings.all().stream()
                        .map(setting ->
                                "| `" + setting + "` | " + setting.defaultText() + " | " + setting.help() + " |")
                        .toList());
    }

    @Test
    void every_setting_is_in_the_list() {
        assertThat(Settings.all())
                .extracting(Setting::name)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(Settings.class.getFields())
                                        .filter(field -> field.getType() == Setting.class)
                                        .map(Field::getName),
                                TelemetrySettings.ALL.stream().map(Setting::name))
                        .toList());
    }
}
