// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Live counts of recorded spans, by result. Thread-safe.
 *
 * <p>Every ended span is exported, dropped for one {@link SpanDropReason}, queued, or being sent.
 */
public final class TraceStats {
    private final LongAdder started = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder exported = new LongAdder();
    private final LongAdder exportNanos = new LongAdder();
    private final Map<SpanDropReason, LongAdder> dropped = adders(SpanDropReason.class);
    private final Map<ExportResult, LongAdder> batches = adders(ExportResult.class);
    private final @Nullable SpanQueue queue;
    private volatile boolean circuitOpen;

    TraceStats(@Nullable SpanQueue queue) {
        this.queue = queue;
    }

    /** Returns the number of recorded spans that were started. */
    public long started() {
        return started.sum();
    }

    public long ended() {
        return queue == null ? 0 : queue.position() + dropped(SpanDropReason.QUEUE_FULL) + late.sum();
    }

    /** Returns the number of spans that the collector accepted. */
    public long exported() {
        return exported.sum();
    }

    public long dropped(SpanDropReason reason) {
        return adder(dropped, reason).sum();
    }

    /** Returns the number of dropped spans, for all reasons. */
    public long dropped() {
        return dropped.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Returns the number of requests to the collector with this result. */
    public long batches(ExportResult result) {
        return adder(batches, result).sum();
    }

    /** Returns the total duration of requests to the collector. */
    public long exportNanos() {
        return exportNanos.sum();
    }

    /** Returns the number of spans waiting to be sent. */
    public int queueSize() {
        return queue == null ? 0 : queue.size();
    }

    public int queueCapacity() {
        return queue == null ? 0 : queue.capacity();
    }

    /** Returns whether the last request failed, so that the worker backs off. */
    public boolean circuitOpen() {
        return circuitOpen;
    }

    void countStarted() {
        started.increment();
    }

    /** Counts a span that ended after the queue was closed. */
    void countLate() {
        late.increment();
        countDropped(SpanDropReason.SHUTDOWN, 1);
    }

    void countExported(long spans) {
        exported.add(spans);
    }

    void countDropped(SpanDropReason reason, long spans) {
        adder(dropped, reason).add(spans);
    }

    void countBatch(ExportResult result, long nanos) {
        adder(batches, result).increment();
        exportNanos.add(nanos);
    }

    void circuitOpen(boolean open) {
        circuitOpen = open;
    }

    private static <K extends Enum<K>> Map<K, LongAdder> adders(Class<K> type) {
        Map<K, LongAdder> adders = new EnumMap<>(type);
        for (K key : type.getEnumConstants()) {
            adders.put(key, new LongAdder());
        }
        return adders;
    }

    private static <K> LongAdder adder(Map<K, LongAdder> adders, K key) {
        return Objects.requireNonNull(adders.get(key));
    }
}
