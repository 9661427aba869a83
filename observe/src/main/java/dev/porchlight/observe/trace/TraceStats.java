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
 * <p>Every ended span is exported, dropped for one {@link SpanDropReason}, or still queued or on its way.
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

    /** Spans started and recorded. */
    public long started() {
        return started.sum();
    }

    public long ended() {
        return queue == null ? 0 : queue.position() + dropped(SpanDropReason.QUEUE_FULL) + late.sum();
    }

    /** Spans the collector has accepted. */
    public long exported() {
        return exported.sum();
    }

    public long dropped(SpanDropReason reason) {
        return adder(dropped, reason).sum();
    }

    /** Spans dropped for any reason. */
    public long dropped() {
        return dropped.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Requests to the collector by how they ended. */
    public long batches(ExportResult result) {
        return adder(batches, result).sum();
    }

    /** Time spent in requests to the collector, whatever their result. */
    public long exportNanos() {
        return exportNanos.sum();
    }

    /** Spans that wait to be sent. */
    public int queueSize() {
        return queue == null ? 0 : queue.size();
    }

    public int queueCapacity() {
        return queue == null ? 0 : queue.capacity();
    }

    /** Whether the last request failed, so that the worker waits longer and longer before the next. */
    public boolean circuitOpen() {
        return circuitOpen;
    }

    void countStarted() {
        started.increment();
    }

    /** Counts a span that ended when the queue was closed. */
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
