// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.config.Setting.InvalidValueException;
import java.util.Locale;

/** An sRGB color. Components are 0 to 255. */
public record Color(int red, int green, int blue) {
    public static final Color BLACK = new Color(0, 0, 0);
    public static final Color WHITE = new Color(255, 255, 255);

    /**
     * Parses {@code #rrggbb} or {@code #rgb}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static Color parse(String text) {
        if (!text.matches("(?i)#([0-9a-f]{3}){1,2}")) {
            throw InvalidValueException.quoting(text, "must be a color such as #0f62fe");
        }
        String digits = text.length() == 4 ? text.replaceAll("[0-9A-Fa-f]", "$0$0") : text;
        int rgb = Integer.parseInt(digits.substring(1), 16);
        return new Color(rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
    }

    /** Returns this color mixed with another one, whose share is 0 to 1. */
    public Color mix(Color other, double share) {
        return new Color(mix(red, other.red, share), mix(green, other.green, share), mix(blue, other.blue, share));
    }

    private static int mix(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }

    /** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
    public double contrast(Color other) {
        double light = Math.max(luminance(), other.luminance());
        double dark = Math.min(luminance(), other.luminance());
        return (light + 0.05) / (dark + 0.05);
    }

    private double luminance() {
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    }

    private static double linear(int component) {
        double share = component / 255d;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    /** Returns the color as {@code #rrggbb}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "#%02x%02x%02x", red, green, blue);
    }
}
