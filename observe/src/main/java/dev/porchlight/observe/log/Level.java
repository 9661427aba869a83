// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Locale;
import java.util.Optional;

/** How much a log line matters, least first. */
public enum Level {
    TRACE(0),
    DEBUG(1),
    INFO(2),
    WARN(3),
    ERROR(4),
    FATAL(5);

    /** The place among the levels, for comparing and for counting by level. */
    final int rank;

    private final String label = name().toLowerCase(Locale.ROOT);

    Level(int rank) {
        this.rank = rank;
    }

    /** The word printed in a line: {@code info}. */
    public String label() {
        return label;
    }

    /** The level a person means by a word, in any case; {@code warning} and {@code critical} are understood too. */
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
