// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lowest level that is written, in general and for loggers of certain names. Immutable and thread-safe.
 *
 * @param general what holds where no name says otherwise
 * @param byName what holds for a logger name and every dotted name below it; the longest match wins
 */
public record Thresholds(Level general, Map<String, Level> byName) {
    public Thresholds {
        byName = Map.copyOf(byName);
    }

    public static Thresholds of(Level general) {
        return new Thresholds(general, Map.of());
    }

    /**
     * Reads {@code info} or {@code info,org.eclipse.jetty=warn}. A part that cannot be understood is reported to
     * {@code complaints} in a sentence and otherwise ignored; the general level is then info.
     */
    public static Thresholds parse(@Nullable String text, Consumer<String> complaints) {
        Level general = Level.INFO;
        Map<String, Level> byName = new HashMap<>();
        for (String part : text == null ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = part.substring(0, Math.max(0, equals)).strip();
            Level level = Level.parse(part.substring(equals + 1)).orElse(null);
            if (level != null && equals < 0) {
                general = level;
            } else if (level != null && !name.isEmpty()) {
                byName.put(name, level);
            } else if (!part.isBlank()) {
                complaints.accept("LOG_LEVEL \"" + part.strip() + "\" is not understood; expected trace, debug, info, "
                        + "warn, error or fatal, or a logger name followed by = and one of these");
            }
        }
        return new Thresholds(general, byName);
    }

    /** The threshold of the logger of this name. */
    public Level of(String name) {
        for (String prefix = name; !byName.isEmpty(); ) {
            Level level = byName.get(prefix);
            if (level != null) {
                return level;
            }
            int dot = prefix.lastIndexOf('.');
            if (dot < 0) {
                break;
            }
            prefix = prefix.substring(0, dot);
        }
        return general;
    }
}
