// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.TraceEvent.Kind;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts export results and notifies the listener of failures and recoveries, at a limited rate: an unreachable or
 * flapping collector causes a few lines per hour, not one per batch.
 *
 * <p>Confined to the worker thread, except for {@link #lost}.
 */
final class ExportReporter {
    static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final TraceStats stats;
    private final Consumer<TraceEvent> listener;
    private final TraceTime time;
    private final Limiter failures = new Limiter();
    private final Limiter rejections = new Limiter();
    private final Limiter overflows = new Limiter();

    private long failedAttempts;
    private long failingSince;
    private long droppedBefore;
    private boolean announced;
    private long overflowReported;

    ExportReporter(TraceStats stats, Consumer<TraceEvent> listener, TraceTime time) {
        this.stats = stats;
        this.listener = listener;
        this.time = time;
    }

    void attempt(ExportResult result, long nanos) {
        stats.countBatch(result, nanos);
    }

    void exported(long spans) {
        stats.countExported(spans);
        stats.circuitOpen(false);
        if (announced) {
            report(Kind.EXPORT_RECOVERED, "Spans are being sent again", outage());
        }
        announced = false;
        failedAttempts = 0;
    }

    void dropped(SpanDropReason reason, long spans) {
        stats.countDropped(reason, spans);
    }

    /** Reports a failed request that cost no spans: its batch is retried. */
    void failed(String reason) {
        failed(reason, 0);
    }

    /** Reports a failed request whose batch of {@code lost} spans is dropped. */
    void failed(String reason, long lost) {
        stats.circuitOpen(true);
        if (failedAttempts++ == 0) {
            failingSince = time.nanoTime();
            droppedBefore = stats.dropped();
        }
        dropped(SpanDropReason.EXPORT_FAILED, lost);
        if (failures.pass(time.nanoTime())) {
            Kind kind = announced ? Kind.EXPORT_STILL_FAILING : Kind.EXPORT_FAILED;
            announced = true;
            report(kind, "Cannot send spans: " + reason, outage());
        }
    }

    void rejected(long spans, String message) {
        stats.countDropped(SpanDropReason.REJECTED, spans);
        if (rejections.pass(time.nanoTime())) {
            report(
                    Kind.SPANS_REJECTED,
                    "The collector rejected spans: " + message,
                    Attributes.of("rejected", spans, "rejectedInAll", stats.dropped(SpanDropReason.REJECTED)));
        }
    }

    void checkOverflow() {
        long overflow = stats.dropped(SpanDropReason.QUEUE_FULL);
        if (overflow > overflowReported && overflows.pass(time.nanoTime())) {
            report(
                    Kind.SPANS_DROPPED,
                    "Spans were dropped because the queue was full",
                    Attributes.of("dropped", overflow - overflowReported, "queueCapacity", stats.queueCapacity()));
            overflowReported = overflow;
        }
    }

    void lost(long spans) {
        report(Kind.SPANS_LOST, "The tracer was closed with spans unsent", Attributes.of("lost", spans));
    }

    private Attributes outage() {
        return Attributes.of(
                "failedAttempts",
                failedAttempts,
                "failingForSeconds",
                TimeUnit.NANOSECONDS.toSeconds(time.nanoTime() - failingSince),
                "spansLost",
                stats.dropped() - droppedBefore);
    }

    private void report(Kind kind, String message, Attributes details) {
        try {
            listener.accept(new TraceEvent(kind, message, details));
        } catch (RuntimeException ignored) {
            // a failing listener must not stop the export
        }
    }

    /** Allows the first event, and then at most one every ten minutes. */
    private static final class Limiter {
        private boolean used;
        private long last;

        boolean pass(long now) {
            if (used && now - last < QUIET_NANOS) {
                return false;
            }
            used = true;
            last = now;
            return true;
        }
    }
}
