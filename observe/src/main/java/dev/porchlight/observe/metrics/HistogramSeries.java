// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import dev.porchlight.observe.trace.SpanContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * One label set of a histogram. Thread-safe.
 *
 * <p>Threads are spread over stripes of cells: one cell per bucket, one for the sum of durations in nanoseconds, and
 * one for the sum of other values as a double. The count has no cell: it is computed from the buckets, so it equals the
 * {@code +Inf} bucket in every scrape without coordination.
 */
public sealed class HistogramSeries extends Series permits TimerSeries {
    private static final int STRIPES =
            Math.min(16, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1) << 1);
    private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);
    /** Unused cells between stripes, so that no two stripes share a cache line. */
    private static final int GAP = 8;
    /** When a stripe's nanoseconds exceed this (4.5 years), they move to its double, long before they overflow. */
    private static final long SPILL = 1L << 57;

    private static final double NANOS = 1e9;

    private final Buckets buckets;
    private final Exemplars exemplars;
    private final int stride;
    private final AtomicLongArray cells;
    private final @Nullable Exemplar[] shown;
    /** Present only if an exporter or a scraper wants it; immutable fields make a racy read safe. */
    private @Nullable Exponential exponential;

    HistogramSeries(Family family, String[] values) {
        super(family, values);
        this.buckets = Objects.requireNonNull(family.buckets);
        this.exemplars = family.settings.exemplars();
        this.stride = buckets.count() + 2 + GAP;
        this.cells = new AtomicLongArray(STRIPES * stride);
        this.shown = new Exemplar[buckets.count()];
        this.exponential = family.settings.exponential().get() ? new Exponential() : null;
    }

    /** Observes a value. A value that is negative, infinite or NaN is refused and counted. */
    public final void observe(double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            family.refuse("a histogram accepts only finite values of at least 0");
            return;
        }
        int bucket = buckets.indexOf(value);
        int stripe = stripe();
        cells.getAndIncrement(stripe + bucket);
        add(stripe, value);
        countExponential(value);
        offer(bucket, value);
    }

    final void observeNanos(long nanos) {
        if (nanos < 0 || nanos >= SPILL) {
            observe(nanos / NANOS);
            return;
        }
        offer(count(nanos), nanos / NANOS);
    }

    final void observeNanos(long nanos, SpanContext span) {
        if (nanos < 0 || nanos >= SPILL) {
            observe(nanos / NANOS);
            return;
        }
        int bucket = count(nanos);
        if (exemplars.wanted(shown[bucket], span)) {
            shown[bucket] = exemplars.of(span, nanos / NANOS);
        }
    }

    public final long count() {
        long count = 0;
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            count += total(bucket);
        }
        return count;
    }

    public final double sum() {
        return total(nanosCell()) / NANOS + amounts();
    }

    private int count(long nanos) {
        int bucket = buckets.indexOf(nanos / NANOS);
        int stripe = stripe();
        cells.getAndIncrement(stripe + bucket);
        if (cells.getAndAdd(stripe + nanosCell(), nanos) >= SPILL) {
            spill(stripe);
        }
        countExponential(nanos / NANOS);
        return bucket;
    }

    boolean exponentialActive() {
        return exponential != null;
    }

    private void countExponential(double value) {
        Exponential present = exponential;
        if (present != null) {
            present.add(value, 1);
        }
    }

    /**
     * Starts exponential buckets with the observations so far, each at the bound of its bucket, because nothing finer is
     * known. They cancel out in every rate.
     */
    final synchronized Exponential activate() {
        Exponential made = exponential;
        if (made == null) {
            made = new Exponential();
            for (int bucket = 0; bucket < buckets.count(); bucket++) {
                double last = buckets.bound(Math.min(bucket, buckets.count() - 2));
                made.add(bucket < buckets.count() - 1 ? last : Math.nextUp(last), total(bucket));
            }
            exponential = made;
        }
        return made;
    }

    private void offer(int bucket, double value) {
        Exemplar present = shown[bucket];
        if (exemplars.wanted(present)) {
            shown[bucket] = exemplars.take(present, value);
        }
    }

    private void add(int stripe, double amount) {
        int cell = stripe + amountCell();
        long before;
        long after;
        do {
            before = cells.getPlain(cell); // a stale value fails the compare-and-set and is read again
            after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + amount);
        } while (!cells.weakCompareAndSetVolatile(cell, before, after));
    }

    private void spill(int stripe) {
        long nanos = cells.get(stripe + nanosCell());
        if (nanos >= SPILL && cells.compareAndSet(stripe + nanosCell(), nanos, 0)) {
            add(stripe, nanos / NANOS);
        }
    }

    /** Returns the first cell of the calling thread's stripe. Thread ids, including those of virtual threads, spread well. */
    private int stripe() {
        long mixed = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> STRIPE_SHIFT) * stride;
    }

    private int nanosCell() {
        return buckets.count();
    }

    private int amountCell() {
        return buckets.count() + 1;
    }

    private long total(int cell) {
        long total = 0;
        for (int at = cell; at < cells.length(); at += stride) {
            total += cells.get(at);
        }
        return total;
    }

    private double amounts() {
        double total = 0;
        for (int at = amountCell(); at < cells.length(); at += stride) {
            total += Double.longBitsToDouble(cells.get(at));
        }
        return total;
    }

    @Override
    final void read(SeriesReading into) {
        long[] cumulative = into.buckets(buckets.count());
        long count = 0;
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            count += total(bucket);
            cumulative[bucket] = count;
        }
        into.set(this, total(nanosCell()), amounts(), count);
        into.exemplars = shown;
        if (into.wantsExponential) {
            Exponential present = exponential;
            (present == null ? activate() : present).read(into.exponential);
        }
    }
}
