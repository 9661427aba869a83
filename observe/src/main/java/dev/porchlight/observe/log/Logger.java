// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import java.time.Clock;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log lines of one service: a level, a message, fields, and the calling thread's trace.
 *
 * <pre>{@code
 * Logger log = new Logger("checkout", Level.INFO, new LogFormat.Json(), LogWriter.standardOutput());
 * Logger request = log.child(Fields.of("requestId", id, "userId", user));
 * request.info("paid", new Fields().put("amount", 1299).put("currency", "EUR"));
 * request.error("refund failed", exception);
 * }</pre>
 *
 * <p>No method throws, for any message, fields or exception. A field with a name that the logger itself uses is printed
 * as {@code extra.<name>}. A field of the call overrides a bound field of the same name. Values of names such as {@code
 * password} or {@code token} are redacted. Thread-safe.
 */
public final class Logger {
    private static final Fields NO_FIELDS = new Fields();

    private final LineEncoder encoder;
    private final Thresholds thresholds;
    private final int threshold;
    private final BoundFields bound;
    private final boolean alwaysWaits;

    public Logger(String service, Level threshold, LogFormat format, LogWriter writer) {
        this(service, Thresholds.of(threshold), format, writer);
    }

    /** Creates a logger whose lines carry the ids of {@link Span#current()}. */
    public Logger(String service, Thresholds thresholds, LogFormat format, LogWriter writer) {
        this(service, thresholds, format, writer, () -> Span.current().context(), Clock.systemUTC());
    }

    /**
     * Creates a logger with its own clock and source of traces.
     *
     * @param trace returns the context whose ids a line carries, {@link SpanContext#NONE} outside a trace
     */
    public Logger(
            String service,
            Thresholds thresholds,
            LogFormat format,
            LogWriter writer,
            Supplier<SpanContext> trace,
            Clock clock) {
        this(
                new LineEncoder(service, format, writer, trace, clock),
                thresholds,
                Objects.requireNonNull(thresholds, "thresholds").general().rank,
                BoundFields.NOTHING,
                false);
    }

    private Logger(LineEncoder encoder, Thresholds thresholds, int threshold, BoundFields bound, boolean alwaysWaits) {
        this.encoder = encoder;
        this.thresholds = thresholds;
        this.threshold = threshold;
        this.bound = bound;
        this.alwaysWaits = alwaysWaits;
    }

    String service() {
        return encoder.service;
    }

    /** Returns a logger that adds these fields to every line. Their values are rendered immediately. */
    public Logger child(Fields fields) {
        return new Logger(encoder, thresholds, threshold, encoder.bind(bound, fields), alwaysWaits);
    }

    /** Returns a child with the field {@code logger} and the threshold of that name, for logging facades. */
    public Logger named(String name) {
        BoundFields named = encoder.bind(bound, Fields.of("logger", name));
        return new Logger(encoder, thresholds, thresholds.of(String.valueOf((Object) name)).rank, named, alwaysWaits);
    }

    /** Returns a logger whose calls always return after the line is written, as calls for warnings and above do anyway. */
    public Logger audit() {
        return new Logger(encoder, thresholds, threshold, bound, true);
    }

    /** Returns a logger that also sends its lines to a collector, as do its children. */
    public Logger exportingTo(LogExport export) {
        return new Logger(encoder.exportingTo(export.active()), thresholds, threshold, bound, alwaysWaits);
    }

    /** Returns the lowest threshold of all names. */
    Level lowestThreshold() {
        return thresholds.byName().values().stream()
                .reduce(thresholds.general(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
    }

    public boolean isEnabled(Level level) {
        return threshold <= known(level).rank;
    }

    /** Writes a line, if its level is enabled. */
    public void log(Level given, String message, @Nullable Throwable thrown, Fields fields) {
        Level level = known(given);
        if (threshold <= level.rank) {
            boolean waits = alwaysWaits || level.rank >= Level.WARN.rank;
            // A null must not fail a log call.
            encoder.write(
                    level, bound, waits, String.valueOf((Object) message), thrown, fields == null ? NO_FIELDS : fields);
        }
    }

    private static Level known(Level level) {
        return level == null ? Level.INFO : level;
    }

    public void trace(String message) {
        log(Level.TRACE, message, null, NO_FIELDS);
    }

    public void trace(String message, Fields fields) {
        log(Level.TRACE, message, null, fields);
    }

    public void trace(String message, Throwable thrown) {
        log(Level.TRACE, message, thrown, NO_FIELDS);
    }

    public void trace(String message, Throwable thrown, Fields fields) {
        log(Level.TRACE, message, thrown, fields);
    }

    public void debug(String message) {
        log(Level.DEBUG, message, null, NO_FIELDS);
    }

    public void debug(String message, Fields fields) {
        log(Level.DEBUG, message, null, fields);
    }

    public void debug(String message, Throwable thrown) {
        log(Level.DEBUG, message, thrown, NO_FIELDS);
    }

    public void debug(String message, Throwable thrown, Fields fields) {
        log(Level.DEBUG, message, thrown, fields);
    }

    public void info(String message) {
        log(Level.INFO, message, null, NO_FIELDS);
    }

    public void info(String message, Fields fields) {
        log(Level.INFO, message, null, fields);
    }

    public void info(String message, Throwable thrown) {
        log(Level.INFO, message, thrown, NO_FIELDS);
    }

    public void info(String message, Throwable thrown, Fields fields) {
        log(Level.INFO, message, thrown, fields);
    }

    public void warn(String message) {
        log(Level.WARN, message, null, NO_FIELDS);
    }

    public void warn(String message, Fields fields) {
        log(Level.WARN, message, null, fields);
    }

    public void warn(String message, Throwable thrown) {
        log(Level.WARN, message, thrown, NO_FIELDS);
    }

    public void warn(String message, Throwable thrown, Fields fields) {
        log(Level.WARN, message, thrown, fields);
    }

    public void error(String message) {
        log(Level.ERROR, message, null, NO_FIELDS);
    }

    public void error(String message, Fields fields) {
        log(Level.ERROR, message, null, fields);
    }

    public void error(String message, Throwable thrown) {
        log(Level.ERROR, message, thrown, NO_FIELDS);
    }

    public void error(String message, Throwable thrown, Fields fields) {
        log(Level.ERROR, message, thrown, fields);
    }
}
