// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import org.jspecify.annotations.Nullable;

/** What log lines look like. */
public sealed interface LogFormat {
    /** One JSON object per line, with {@code trace_id}, {@code span_id} and {@code trace_flags} inside a trace. */
    record Json() implements LogFormat {}

    /**
     * The structured format of Google Cloud's log agents.
     *
     * @param project the project that traces belong to; without it the agent fills in its own
     * @param version the running version of the service, shown in error reports
     */
    record Cloud(@Nullable String project, @Nullable String version) implements LogFormat {}

    /**
     * Text for a person at a terminal: one line, and below it, indented, the stack trace of an exception.
     *
     * @param colour whether the terminal is to show colours
     */
    record Console(boolean colour) implements LogFormat {}
}
