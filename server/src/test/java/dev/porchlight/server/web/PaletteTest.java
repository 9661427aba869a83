// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.config.Color;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PaletteTest {
    private static final Pattern VARIABLE = Pattern.compile("--([a-z-]+):\\s*(#[0-9a-f]{3,6});?");

    @Test
    void every_color_gives_readable_pages_in_light_and_dark_mode() throws IOException {
        String[] defaults = modes(new String(WebFile.read("assets/porchlight.css"), "UTF-8"));
        for (int rgb = 0; rgb <= 0xffffff; rgb += 0x2a2b2d) {
            check(defaults, new Color(rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff));
        }
        check(defaults, Color.WHITE);
        check(defaults, Color.parse("#808080"));
    }

    @Test
    void a_button_keeps_the_color_and_has_a_border_if_it_does_not_stand_out() {
        assertThat(new Palette(Color.parse("#0f62fe")).css())
                .contains("--primary:#0f62fe;--primary-hover:#0d53d8;--primary-edge:#0f62fe;--on-primary:#ffffff");
        assertThat(new Palette(Color.parse("#ffd400")).css())
                .contains("--primary:#ffd400;")
                .contains("--primary-edge:#7")
                .contains("--on-primary:#000000");
    }

    private static void check(String[] defaults, Color accent) {
        String[] brand = modes(new Palette(accent).css());
        for (int mode = 0; mode < 2; mode++) {
            Map<String, Color> colors = colors(defaults[mode]);
            colors.putAll(colors(brand[mode]));
            for (String ground : new String[] {"ground", "surface", "sunken", "glow"}) {
                for (String text : new String[] {"accent", "ink", "soft"}) {
                    assertContrast(accent, colors, text, ground, 4.5);
                }
            }
            assertContrast(accent, colors, "on-primary", "primary", 4.5);
            assertContrast(accent, colors, "on-primary", "primary-hover", 4.5);
            assertContrast(accent, colors, "primary-edge", "surface", 3);
            assertContrast(accent, colors, "edge", "surface", 3);
        }
    }

    private static void assertContrast(
            Color accent, Map<String, Color> colors, String one, String other, double least) {
        assertThat(colors.get(one).contrast(colors.get(other)))
                .as("%s: %s on %s", accent, one, other)
                .isGreaterThanOrEqualTo(least);
    }

    /** Splits a style sheet into its light and dark variables. */
    private static String[] modes(String css) {
        String[] modes = css.split("prefers-color-scheme: ?dark", 2);
        return new String[] {modes[0], modes[1].substring(0, modes[1].indexOf("}"))};
    }

    private static Map<String, Color> colors(String css) {
        Map<String, Color> colors = new HashMap<>();
        VARIABLE.matcher(css).results().forEach(found -> colors.put(found.group(1), Color.parse(found.group(2))));
        return colors;
    }
}
