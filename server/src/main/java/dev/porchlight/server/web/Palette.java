// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.server.config.Color;
import java.util.stream.Stream;

/**
 * The colors of the pages for one accent color, in light and dark mode. Buttons keep the accent color, with a border if they
 * do not stand out from the page. Links are darkened or lightened until they can be read. All pairs reach WCAG AA. Immutable.
 */
final class Palette {
    static final Color GROUND = Color.parse("#f7f8fa");
    private static final double TEXT = 4.5;
    private static final double CONTROL = 3;
    private static final double STEP = 0.02;

    /** The colors of one mode. {@code away} is black or white, whichever differs more from the surfaces. */
    private record Mode(Color accent, Color ground, Color surface, Color sunken, Color away, double glowShare) {
        Color glow() {
            return ground.mix(accent, glowShare);
        }

        /** Moves the accent color away from the backgrounds until text in it can be read. */
        Color link() {
            double share = 0;
            while (!isReadable(accent.mix(away, share))) {
                share += STEP;
            }
            return accent.mix(away, share);
        }

        private boolean isReadable(Color text) {
            return Stream.of(ground, surface, sunken, glow()).allMatch(color -> text.contrast(color) >= TEXT);
        }

        String css() {
            // black has the contrast where white has not
            Color label = accent.contrast(Color.WHITE) >= TEXT ? Color.WHITE : Color.BLACK;
            Color hover = accent.mix(label.equals(Color.WHITE) ? Color.BLACK : Color.WHITE, 0.15);
            Color edge = accent.contrast(surface) >= CONTROL ? accent : link();
            return "--ground:" + ground + ";--surface:" + surface + ";--sunken:" + sunken + ";--glow:" + glow()
                    + ";--accent:" + link() + ";--primary:" + accent + ";--primary-hover:" + hover
                    + ";--primary-edge:" + edge + ";--on-primary:" + label;
        }
    }

    private final Mode light;
    private final Mode dark;

    Palette(Color accent) {
        light = new Mode(accent, GROUND, Color.WHITE, Color.parse("#f0f2f5"), Color.BLACK, 0.1);
        dark = new Mode(
                accent, Color.parse("#0f1218"), Color.parse("#1a1e27"), Color.parse("#141820"), Color.WHITE, 0.18);
    }

    /** Returns rules that replace the color variables of the style sheet. */
    String css() {
        return "\n:root{" + light.css() + ";--line:#e1e4ea;--edge:#7d8594}\n@media (prefers-color-scheme:dark){:root{"
                + dark.css() + ";--line:#303644;--edge:#7b8499}}\n";
    }
}
