// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a logger needs to know, read from the environment. Immutable.
 *
 * @param service the name every line carries
 * @param thresholds from which level on lines are written
 * @param format what lines look like
 * @param complaints what was wrong with the environment, in sentences for people
 */
public record LogConfig(String service, Thresholds thresholds, LogFormat format, List<String> complaints) {
    /** The name OpenTelemetry gives a service that has none. */
    static final String UNNAMED = "unknown_service:java";

    public LogConfig {
        complaints = List.copyOf(complaints);
    }

    /**
     * Reads {@code OTEL_SERVICE_NAME}, {@code LOG_LEVEL}, {@code K_SERVICE}, {@code K_REVISION},
     * {@code GOOGLE_CLOUD_PROJECT}, {@code NO_COLOR} and {@code TERM}.
     *
     * @param terminal whether a person reads the lines as they come
     */
    public static LogConfig fromEnvironment(Map<String, String> environment, boolean terminal) {
        List<String> complaints = new ArrayList<>();
        Thresholds thresholds = Thresholds.parse(environment.get("LOG_LEVEL"), complaints::add);
        String cloudService = value(environment, "K_SERVICE");
        String named = value(environment, "OTEL_SERVICE_NAME");
        String service = named != null ? named : cloudService != null ? cloudService : UNNAMED;
        LogFormat format = new LogFormat.Json();
        if (cloudService != null) {
            format = new LogFormat.Cloud(value(environment, "GOOGLE_CLOUD_PROJECT"), value(environment, "K_REVISION"));
        } else if (terminal) {
            boolean colour = value(environment, "NO_COLOR") == null && !"dumb".equals(environment.get("TERM"));
            format = new LogFormat.Console(colour);
        }
        return new LogConfig(service, thresholds, format, complaints);
    }

    public LogConfig withService(String name) {
        return new LogConfig(name, thresholds, format, complaints);
    }

    /** A logger of this configuration, which warns of what was wrong with it. */
    public Logger open(LogWriter writer) {
        Logger logger = new Logger(service, thresholds, format, writer);
        complaints.forEach(logger::warn);
        return logger;
    }

    /** The value of a variable; an empty one counts as unset. */
    private static @Nullable String value(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
