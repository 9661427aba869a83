// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lowest level that is written, by default and by logger name. Immutable.
 *
 * @param general the default level
 * @param byName the levels of logger names and of all dotted names below them; the longest match wins
 */
public record Thresholds(Level general, Map<String, Level> byName) {
    public Thresholds {
        Objects.requireNonNull(general, "general");
        byName = Map.copyOf(byName);
    }

    public static Thresholds of(Level general) {
        return new Thresholds(general, Map.of());
    }

    /**
     * Parses {@code info} or {@code info,org.eclipse.jetty=warn}. An invalid part is reported to {@code warnings} in a
     * sentence and otherwise ignored. The default is info.
     */
    public static Thresholds parse(@Nullable String text, Consumer<String> warnings) {
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
                warnings.accept("LOG_LEVEL \"" + part.strip() + "\" is invalid; expected trace, debug, info, "
                        + "warn, error or fatal, or a logger name followed by = and one of these");
            }
        }
        return new Thresholds(general, byName);
    }

    /** Returns the threshold of a logger name. */
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
