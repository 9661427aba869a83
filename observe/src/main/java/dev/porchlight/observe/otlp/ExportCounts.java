// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.export.ExportStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counts of one signal. Thread-safe. */
public final class ExportCounts implements ExportStats {
    private final LongAdder late = new LongAdder();
    private final LongAdder exported = new LongAdder();
    private final LongAdder exportNanos = new LongAdder();
    private final Map<DropReason, LongAdder> dropped = adders(DropReason.class);
    private final Map<ExportResult, LongAdder> batches = adders(ExportResult.class);
    private final @Nullable ItemSource<?> source;
    private volatile boolean circuitOpen;

    /** Creates counts of zero; {@code source} is null if the signal is not exported. */
    public ExportCounts(@Nullable ItemSource<?> source) {
        this.source = source;
    }

    @Override
    public long offered() {
        return source instanceof ItemQueue<?> queue
                ? queue.position() + dropped(DropReason.QUEUE_FULL) + late.sum()
                : exported() + dropped();
    }

    @Override
    public long exported() {
        return exported.sum();
    }

    @Override
    public long dropped(DropReason reason) {
        return adder(dropped, reason).sum();
    }

    @Override
    public long dropped() {
        return dropped.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public long batches(ExportResult result) {
        return adder(batches, result).sum();
    }

    @Override
    public long exportNanos() {
        return exportNanos.sum();
    }

    @Override
    public int queueSize() {
        return source == null ? 0 : source.size();
    }

    @Override
    public int queueCapacity() {
        return source == null ? 0 : source.capacity();
    }

    @Override
    public boolean circuitOpen() {
        return circuitOpen;
    }

    /** Counts an item that came after the queue was closed. */
    void countLate() {
        late.increment();
        countDropped(DropReason.SHUTDOWN, 1);
    }

    void countExported(long items) {
        exported.add(items);
    }

    public void countDropped(DropReason reason, long items) {
        adder(dropped, reason).add(items);
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
