// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportEvent.Kind;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.export.Signal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts export results and notifies the listener of failures and recoveries, at a limited rate: an unreachable or
 * flapping collector causes a few lines per hour, not one per batch.
 *
 * <p>Confined to the worker thread, except for {@link #lost}.
 */
public final class ExportReporter {
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** For failures that cost items. */
    private static final long QUIET_LOSS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Signal signal;
    private final String target;
    private final ExportCounts stats;
    private final Consumer<ExportEvent> listener;
    private final ExportTime time;
    private final Limiter failures = new Limiter();
    private final Limiter rejections = new Limiter();
    private final Limiter overflows = new Limiter();

    private long failedAttempts;
    private long failingSince;
    private long droppedBefore;
    private boolean announced;
    private long overflowReported;

    /**
     * Creates a reporter.
     *
     * @param target where the items are sent, for people
     */
    public ExportReporter(
            Signal signal, String target, ExportCounts stats, Consumer<ExportEvent> listener, ExportTime time) {
        this.signal = signal;
        this.target = target;
        this.stats = stats;
        this.listener = listener;
        this.time = time;
    }

    void attempt(ExportResult result, long items, long nanos) {
        stats.countBatch(result, nanos);
        report(
                Kind.EXPORT_ATTEMPT,
                "Export of " + signal.items() + ": " + result.label(),
                figures("items", items, "durationMs", TimeUnit.NANOSECONDS.toMillis(nanos)));
    }

    /** Reports that a failed request is repeated after a delay. */
    void retrying(String reason, long failures, long delayNanos) {
        report(
                Kind.EXPORT_RETRY,
                "Sending " + signal.items() + " again soon: " + reason,
                figures("attempt", failures + 1, "delayMs", TimeUnit.NANOSECONDS.toMillis(delayNanos)));
    }

    public void exported(long items) {
        stats.countExported(items);
        stats.circuitOpen(false);
        if (announced) {
            report(Kind.EXPORT_RECOVERED, "Sending " + signal.items() + " again", outage());
        }
        announced = false;
        failedAttempts = 0;
    }

    public void dropped(DropReason reason, long items) {
        stats.countDropped(reason, items);
    }

    /** Reports a failed request that cost no items: its batch is retried. */
    public void failed(String reason) {
        failed(reason, 0);
    }

    /** Reports a failed request whose batch of {@code lost} items is dropped. */
    public void failed(String reason, long lost) {
        stats.circuitOpen(true);
        if (failedAttempts++ == 0) {
            failingSince = time.nanoTime();
            droppedBefore = stats.dropped();
        }
        dropped(DropReason.EXPORT_FAILED, lost);
        if (failures.pass(time.nanoTime(), lost == 0 ? QUIET_NANOS : QUIET_LOSS_NANOS)) {
            Kind kind = announced ? Kind.EXPORT_STILL_FAILING : Kind.EXPORT_FAILED;
            announced = true;
            report(kind, "Cannot send " + signal.items() + " to " + target + ": " + reason, outage());
        }
    }

    public void rejected(long items, String message) {
        stats.countDropped(DropReason.REJECTED, items);
        if (rejections.pass(time.nanoTime(), QUIET_NANOS)) {
            report(
                    Kind.EXPORT_REJECTED,
                    "The collector rejected " + signal.items() + ": " + message,
                    figures("rejected", items, "rejectedInAll", stats.dropped(DropReason.REJECTED)));
        }
    }

    public void checkOverflow() {
        long overflow = stats.dropped(DropReason.QUEUE_FULL);
        if (overflow > overflowReported && overflows.pass(time.nanoTime(), QUIET_NANOS)) {
            report(
                    Kind.EXPORT_DROPPED,
                    "Some " + signal.items() + " were dropped because the queue was full",
                    figures("dropped", overflow - overflowReported, "queueCapacity", (long) stats.queueCapacity()));
            overflowReported = overflow;
        }
    }

    void lost(long items) {
        report(Kind.EXPORT_LOST, "Closed with unsent " + signal.items(), figures("lost", items));
    }

    private Map<String, Long> outage() {
        return figures(
                "failedAttempts",
                failedAttempts,
                "failingForSeconds",
                TimeUnit.NANOSECONDS.toSeconds(time.nanoTime() - failingSince),
                "lost",
                stats.dropped() - droppedBefore);
    }

    /** Returns alternating names and figures as a map in this order. */
    private static Map<String, Long> figures(Object... pairs) {
        Map<String, Long> figures = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            figures.put((String) pairs[i], (Long) pairs[i + 1]);
        }
        return figures;
    }

    private void report(Kind kind, String message, Map<String, Long> details) {
        try {
            listener.accept(new ExportEvent(kind, signal, message, details));
        } catch (RuntimeException ignored) {
            // a failing listener must not stop the export
        }
    }

    /** Allows the first event, and then at most one per quiet period. */
    private static final class Limiter {
        private boolean used;
        private long last;

        boolean pass(long now, long quietNanos) {
            if (used && now - last < quietNanos) {
                return false;
            }
            used = true;
            last = now;
            return true;
        }
    }
}
