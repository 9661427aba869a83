// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.io.PrintWriter;
import java.io.Writer;

/** Renders what an exception says about itself, bounded, and without ever throwing. */
final class StackTraces {
    static final int MAX_CHARS = 32 * 1024;

    private StackTraces() {}

    /** The attributes of the event {@code exception}. */
    static Attributes attributes(Throwable error) {
        return Attributes.of(
                "exception.type", error.getClass().getName(),
                "exception.message", message(error),
                "exception.stacktrace", stackTrace(error));
    }

    static String message(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? "" : message;
        } catch (RuntimeException | Error e) {
            return "!error: " + e.getClass().getName();
        }
    }

    private static String stackTrace(Throwable error) {
        BoundedWriter text = new BoundedWriter();
        try {
            error.printStackTrace(new PrintWriter(text));
        } catch (RuntimeException | Error e) {
            text.write("!error: " + e.getClass().getName());
        }
        return text.toString();
    }

    /** Keeps the first {@link #MAX_CHARS} and swallows the rest: a stack overflow's trace has thousands of lines. */
    private static final class BoundedWriter extends Writer {
        private final StringBuilder text = new StringBuilder(1024);

        @Override
        public void write(char[] chars, int from, int count) {
            text.append(chars, from, Math.min(count, MAX_CHARS - text.length()));
        }

        @Override
        public void write(String chars) {
            text.append(chars, 0, Math.min(chars.length(), MAX_CHARS - text.length()));
        }

        @Override
        public void write(String chars, int from, int count) {
            text.append(chars, from, from + Math.min(count, MAX_CHARS - text.length()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
