// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The format of log lines. */
public sealed interface LogFormat {
    /** One JSON object per line, with {@code trace_id}, {@code span_id} and {@code trace_flags} inside a trace. */
    record Json() implements LogFormat {}

    /**
     * The structured format of Google Cloud's log agents.
     *
     * @param project the project of the traces; if null, the agent uses its own
     * @param version the running version of the service, shown in error reports
     */
    record Cloud(@Nullable String project, @Nullable String version) implements LogFormat {}

    /** Text for a terminal: one line, followed by the indented stack trace of an exception. */
    record Console(boolean color) implements LogFormat {}

    /** {@link Cloud} if {@code K_SERVICE} is set, else {@link Json}. */
    static LogFormat fromEnvironment(Map<String, String> environment) {
        return value(environment, "K_SERVICE") == null
                ? new Json()
                : new Cloud(value(environment, "GOOGLE_CLOUD_PROJECT"), value(environment, "K_REVISION"));
    }

    private static @Nullable String value(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
