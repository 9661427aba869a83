// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.server.config.Color;
import dev.porchlight.server.config.LogoFile;
import java.util.Map;
import java.util.Optional;

/**
 * The name, logo, color, languages and links of the service on its pages. Immutable.
 *
 * @param color replaces the Porchlight colors
 * @param support the address of a page, a mailbox or a telephone
 * @param privacy the address of a page
 */
public record Branding(
        String name,
        Optional<LogoFile> logo,
        Optional<Color> color,
        Languages languages,
        Optional<String> support,
        Optional<String> privacy) {
    private static final String DEFAULT_LOGO = "logo.svg";

    /** The height of a square logo in CSS pixels. */
    private static final int SIZE = 72;

    /** The logo may contain styles, and nothing that runs or is loaded, even if it is opened as a document. */
    private static final Map<String, String> LOGO_HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox");

    /** The placeholders of the pages: texts, not HTML. */
    public Map<String, String> values() {
        double ratio = logo.map(LogoFile::ratio).orElse(1d);
        double height = SIZE / Math.sqrt(Math.max(1, ratio)); // a wide logo is lower
        return Map.of(
                "support", support.orElse(""),
                "privacy", privacy.orElse(""),
                "name", name,
                "logo", "/assets/" + logoName(),
                "logoWidth", pixels(height * ratio),
                "logoHeight", pixels(height),
                "logoSmallWidth", pixels(height * ratio / 2),
                "logoSmallHeight", pixels(height / 2),
                "ground", color.isPresent() ? Palette.GROUND.toString() : "#fbf6ec");
    }

    private static String pixels(double length) {
        return Long.toString(Math.round(length));
    }

    private String logoName() {
        return logo.map(file -> "brand." + file.type()).orElse(DEFAULT_LOGO);
    }

    /** The assets to serve in addition: the configured logo, if any. */
    Map<String, WebFile> assets() {
        return logo.map(file -> Map.of(logoName(), new WebFile(logoName(), file.content()::toByteArray, LOGO_HEADERS)))
                .orElse(Map.of());
    }

    /** Returns rules that replace color variables of the style sheet, or an empty string. */
    String css() {
        return color.map(accent -> new Palette(accent).css()).orElse("");
    }
}
