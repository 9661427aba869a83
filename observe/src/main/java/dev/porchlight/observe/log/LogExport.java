// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.Environment;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.ExportWorker;
import dev.porchlight.observe.otlp.ItemQueue;
import dev.porchlight.observe.otlp.ItemSource;
import dev.porchlight.observe.otlp.OtlpSettings;
import dev.porchlight.observe.otlp.Sender;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.StackText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends log lines to an OTLP collector, beside the writer of their {@linkplain Logger#exportingTo logger}. A line never
 * waits for the collector: when the queue is full, it is dropped and counted. Thread-safe.
 */
public final class LogExport implements AutoCloseable {
    /** The limit for the characters of queued lines, so that long lines cannot fill the heap. */
    static final long MAX_QUEUED_CHARS = 8L * 1024 * 1024;

    private static final int MAX_MESSAGE = ValueWriter.MAX_STRING;

    private final @Nullable Queue queue;
    private final @Nullable ExportWorker<LogRecord> worker;
    private final ExportStats stats;

    private LogExport(@Nullable Queue queue, @Nullable ExportWorker<LogRecord> worker) {
        this.queue = queue;
        this.worker = worker;
        this.stats = worker == null ? new ExportCounts(null) : worker.stats();
    }

    /** The settings of the export, from OpenTelemetry's {@code OTEL_*} variables. Immutable. */
    public static final class Settings {
        private final OtlpSettings otlp;

        private Settings(OtlpSettings otlp) {
            this.otlp = otlp;
        }

        /**
         * Reads the settings. Lines are not exported unless {@code OTEL_LOGS_EXPORTER} is {@code otlp}, or {@code
         * OTEL_EXPORTER_OTLP_LOGS_ENDPOINT} is set.
         *
         * @param service the service's name, unless the environment has one
         * @param warnings receives the name of each invalid variable, and a sentence about it; its default is used
         */
        public static Settings fromEnvironment(
                String service, Map<String, String> environment, BiConsumer<String, String> warnings) {
            return new Settings(OtlpSettings.read(Signal.LOGS, service, new Environment(environment, warnings)));
        }
    }

    /** Opens an export. It is off if the settings have no exporter. The listener is notified of lost records and failures. */
    public static LogExport open(Settings settings, Consumer<ExportEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        Sender<LogRecord> sender = settings.otlp.sender(LogRecord::write, ExportTime.SYSTEM);
        return sender == null ? off() : open(settings, sender, listener, ExportTime.SYSTEM);
    }

    static LogExport open(
            Settings settings, Sender<LogRecord> sender, Consumer<ExportEvent> listener, ExportTime time) {
        Queue queue = new Queue(settings.otlp.batching().queueSize());
        return new LogExport(queue, ExportWorker.start(settings.otlp, sender, queue, accepted -> {}, listener, time));
    }

    /** Returns an export that is off. */
    public static LogExport off() {
        return new LogExport(null, null);
    }

    /** Returns this, or null if it is off. */
    @Nullable
    LogExport active() {
        return worker == null ? null : this;
    }

    /** Returns live counts of records. */
    public ExportStats stats() {
        return stats;
    }

    /** Sends all queued lines. Returns false if that takes longer than {@code limit}. */
    public boolean flush(Duration limit) {
        return worker == null || worker.flush(limit);
    }

    @Override
    public void close() {
        close(ExportWorker.CLOSE_LIMIT);
    }

    /** Sends queued lines, gives up after {@code limit}, and returns the number of lost lines. */
    public long close(Duration limit) {
        return worker == null ? 0 : worker.close(limit);
    }

    /** Queues a line whose names are resolved in {@code line}. Never throws. */
    void add(
            Line line,
            FieldNames names,
            long epochMillis,
            SpanContext trace,
            Level level,
            BoundFields bound,
            String message,
            @Nullable Throwable thrown,
            Fields fields) {
        if (worker == null || queue == null) {
            return;
        }
        try {
            LogValues values = new LogValues(names);
            values.add("correlationId", line.correlationId); // overridden by a field of that name
            bound.addTo(values, line);
            for (int i = 0; i < line.count; i++) {
                FieldName name = line.names[i];
                if (name != null) {
                    values.add(name.printed, values.of(name, fields.value(i)));
                }
            }
            exception(values, thrown);
            String body = LogValues.bounded(message, MAX_MESSAGE);
            worker.added(queue.offer(new LogRecord(
                    TimeUnit.MILLISECONDS.toNanos(epochMillis),
                    level,
                    body,
                    trace,
                    values.attributes(),
                    values.dropped() + Math.max(0, fields.size() - Line.MAX_FIELDS),
                    values.size() + body.length())));
        } catch (RuntimeException | Error failure) { // fields that another thread changed concurrently
            worker.failed(DropReason.EXPORT_FAILED);
        }
    }

    private static void exception(LogValues values, @Nullable Throwable thrown) {
        if (thrown != null) {
            StackText stack = StackText.of(thrown);
            values.text("exception.type", stack.type(), ValueWriter.MAX_STRING);
            values.text("exception.message", stack.message(), ValueWriter.MAX_STRING);
            values.text("exception.stacktrace", stack.text(), StackText.MAX_LENGTH);
        }
    }

    /** A queue that is also bounded in characters. */
    private static final class Queue implements ItemSource<LogRecord> {
        private final ItemQueue<LogRecord> items;
        private final AtomicLong chars = new AtomicLong();

        Queue(int capacity) {
            items = new ItemQueue<>(capacity);
        }

        long offer(LogRecord line) {
            boolean fits = chars.addAndGet(line.size()) <= MAX_QUEUED_CHARS;
            long position = fits ? items.offer(line) : ItemQueue.FULL;
            if (position < 0) {
                chars.addAndGet(-line.size());
            }
            return position;
        }

        @Override
        public long drain(List<LogRecord> batch, int max) {
            int before = batch.size();
            long position = items.drain(batch, max);
            for (LogRecord line : batch.subList(before, batch.size())) {
                chars.addAndGet(-line.size());
            }
            return position;
        }

        @Override
        public long position() {
            return items.position();
        }

        @Override
        public void close() {
            items.close();
        }

        @Override
        public int size() {
            return items.size();
        }

        @Override
        public int capacity() {
            return items.capacity();
        }
    }
}
