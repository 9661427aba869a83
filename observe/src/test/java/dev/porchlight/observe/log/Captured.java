// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.trace.SpanContext;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Loggers with a fixed clock that write to memory. */
final class Captured {
    static final String NOW = "2026-11-15T10:20:30.123Z";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final LogWriter writer = LogWriter.to(bytes);
    SpanContext trace = SpanContext.NONE;

    Logger json() {
        return logger(new LogFormat.Json());
    }

    Logger cloud() {
        return logger(new LogFormat.Cloud("my-project", "auth-00042"));
    }

    Logger console() {
        return logger(new LogFormat.Console(false));
    }

    Logger logger(LogFormat format) {
        return logger(format, Thresholds.of(Level.TRACE));
    }

    Logger logger(LogFormat format, Thresholds thresholds) {
        Clock clock = Clock.fixed(Instant.parse(NOW), ZoneOffset.UTC);
        return new Logger("auth", thresholds, format, writer, () -> trace, clock);
    }

    String text() {
        return bytes.toString(UTF_8);
    }

    int size() {
        return bytes.size();
    }

    List<String> lines() {
        return text().lines().toList();
    }

    /** Returns the only line, which must be a JSON object and end with a line feed. */
    Map<String, Object> object() {
        String text = text();
        if (text.indexOf('\n') != text.length() - 1) {
            throw new AssertionError("not exactly one line: " + text);
        }
        return StrictJson.object(text.substring(0, text.length() - 1));
    }
}
