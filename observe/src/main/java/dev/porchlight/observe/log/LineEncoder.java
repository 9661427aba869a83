// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.Truncation;
import dev.porchlight.observe.wire.WireBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Encodes the lines of one service and passes them to the writer; shared by a logger and its children. Thread-safe. */
final class LineEncoder {
    /** OpenTelemetry's default name for a service without one. */
    static final String UNNAMED = "unknown_service:java";

    private static final int MAX_SERVICE = 128;

    /** The name in the lines. */
    final String service;

    private final LineShape shape;
    private final FieldNames names;
    private final FieldName correlation;

    /**
     * Reusable lines. Threads are spread over the slots by their id; a thread that finds its slot empty creates a new line. No
     * thread owns a line, so the pool stays small with any number of virtual threads.
     */
    private final AtomicReferenceArray<Line> pool;

    private final LogWriter writer;
    private final Supplier<SpanContext> trace;
    private final Clock clock;
    private final @Nullable LogExport export;

    LineEncoder(String service, LogFormat format, LogWriter writer, Supplier<SpanContext> trace, Clock clock) {
        String given = service == null ? UNNAMED : service;
        this.service = given.substring(0, Truncation.before(given, Math.min(given.length(), MAX_SERVICE)));
        this.shape = LineShape.of(Objects.requireNonNull(format, "format"), this.service);
        this.names = new FieldNames(shape);
        this.correlation = names.of("correlationId");
        int processors = Math.min(32, Runtime.getRuntime().availableProcessors());
        this.pool = new AtomicReferenceArray<>(Integer.highestOneBit(processors * 4));
        this.writer = Objects.requireNonNull(writer, "writer");
        this.trace = Objects.requireNonNull(trace, "trace");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.export = null;
        writer.reportDroppedBy(this::dropNotice);
    }

    private LineEncoder(LineEncoder other, @Nullable LogExport export) {
        this.service = other.service;
        this.shape = other.shape;
        this.names = other.names;
        this.correlation = other.correlation;
        this.pool = other.pool;
        this.writer = other.writer;
        this.trace = other.trace;
        this.clock = other.clock;
        this.export = export;
    }

    LineEncoder exportingTo(@Nullable LogExport target) {
        return new LineEncoder(this, target);
    }

    private WireBuffer dropNotice(long lines, long sinceMillis) {
        Line line = new Line(names);
        String message = lines + " log lines were dropped since " + Instant.ofEpochMilli(sinceMillis);
        Fields fields = Fields.of("event", "log_lines_dropped", "dropped", lines);
        encode(line, clock.millis(), SpanContext.NONE, Level.WARN, BoundFields.NOTHING, message, null, fields);
        return line.out;
    }

    BoundFields bind(BoundFields already, Fields fields) {
        Line line = take();
        try {
            return already.and(fields, line, names, shape, export != null);
        } catch (RuntimeException failure) { // fields that another thread changed concurrently
            return already;
        } finally {
            give(line);
        }
    }

    void write(
            Level level, BoundFields bound, boolean waits, String message, @Nullable Throwable thrown, Fields fields) {
        Line line = take();
        try {
            long now = clock.millis();
            SpanContext current = currentTrace();
            line.correlationId = Scope.correlationId();
            encode(line, now, current, level, bound, message, thrown, fields);
            writer.write(line.out, level, waits);
            if (export != null) {
                export.add(line, names, now, current, level, bound, message, thrown, fields);
            }
        } catch (Throwable failure) { // logging must not fail the caller
            writer.stats().countDropped(level.rank, LineDropReason.ENCODING_FAILED, 1);
        } finally {
            give(line);
        }
    }

    private void encode(
            Line line,
            long now,
            SpanContext current,
            Level level,
            BoundFields bound,
            String message,
            @Nullable Throwable thrown,
            Fields fields) {
        line.values.endAt(Line.FIELDS_END);
        shape.begin(line, now, level, message);
        if (current.valid()) {
            shape.trace(line, current);
        }
        long bits = line.resolve(fields, names);
        bound.writeTo(line, bits);
        if (line.correlationId != null
                && !bound.has(correlation)
                && ((bits & correlation.bit) == 0 || !line.has(correlation))) {
            line.out.put(correlation.encoded);
            shape.value(line, correlation, line.correlationId);
        }
        shape.thrown(line, level, thrown);
        int omitted = bound.omitted + Math.max(0, fields.size() - Line.MAX_FIELDS);
        for (int i = 0; i < line.count; i++) {
            FieldName name = line.names[i];
            if (name != null && line.values.full()) {
                omitted++;
            } else if (name != null) {
                shape.field(line, fields, i, name);
            }
        }
        shape.end(line, thrown, omitted);
    }

    private Line take() {
        Line line = pool.getAndSet(slot(), null);
        return line == null ? new Line(names) : line;
    }

    private void give(Line line) {
        if (line.recycle()) {
            pool.setRelease(slot(), line);
        }
    }

    private int slot() {
        long id = Thread.currentThread().getId() * 0x9e3779b97f4a7c15L;
        return (int) (id >>> 32) & pool.length() - 1;
    }

    private SpanContext currentTrace() {
        try {
            SpanContext current = trace.get();
            return current == null ? SpanContext.NONE : current;
        } catch (RuntimeException failure) {
            return SpanContext.NONE;
        }
    }
}
