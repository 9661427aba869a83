// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Locale;
import java.util.Optional;

/** The severity of a log line, lowest first. */
public enum Level {
    TRACE(0),
    DEBUG(1),
    INFO(2),
    WARN(3),
    ERROR(4),
    FATAL(5);

    /** The position among the levels, for comparisons and counts by level. */
    final int rank;

    private final String label = name().toLowerCase(Locale.ROOT);

    Level(int rank) {
        this.rank = rank;
    }

    /** Returns the word printed in a line, such as {@code info}. */
    public String label() {
        return label;
    }

    /** Parses a level, case-insensitively. Also accepts {@code warning} and {@code critical}. */
    public static Optional<Level> parse(String word) {
        String wanted = word.strip().toLowerCase(Locale.ROOT);
        for (Level level : values()) {
            if (level.label.equals(wanted)) {
                return Optional.of(level);
            }
        }
        return switch (wanted) {
            case "warning" -> Optional.of(WARN);
            case "critical" -> Optional.of(FATAL);
            default -> Optional.empty();
        };
    }
}
