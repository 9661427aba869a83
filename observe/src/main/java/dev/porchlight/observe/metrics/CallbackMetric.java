// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A metric whose values are read from a callback at each scrape. Thread-safe.
 *
 * <p>Concurrent scrapes take turns. If the callback throws or is still running in another scrape, only this metric
 * loses its samples: labeled ones are omitted, a gauge without labels is NaN, a counter keeps its last value.
 */
final class CallbackMetric extends Metric<CallbackMetric.CallbackSeries> {
    private static final long LOCK_TIMEOUT_MILLIS = 500;

    private final Consumer<CallbackMetric> callback;
    private final ReentrantLock reading = new ReentrantLock();
    private int round;

    CallbackMetric(Family family, Consumer<CallbackMetric> callback) {
        super(family, values -> new CallbackSeries(family, values));
        this.callback = callback;
    }

    /** One label set: its last value and the round of that value. Guarded by the metric's lock. */
    static final class CallbackSeries extends Series {
        private double value;
        private long count;
        private int round;

        CallbackSeries(Family family, String[] values) {
            super(family, values);
        }

        void set(double newValue, long newCount) {
            value = newValue;
            count = newCount;
        }

        @Override
        void read(SeriesReading into) {
            into.set(this, 0, value, count);
        }
    }

    @Override
    void read(SeriesReading into, SeriesReading.Visitor visitor) {
        visitor.metric(family);
        if (!begin()) {
            family.refuse("the callback is still running in another scrape");
            return;
        }
        try {
            call();
            boolean stale = false;
            for (CallbackSeries series : table.sorted()) {
                if (series.round == round) {
                    series.read(into);
                    visitor.series(into);
                } else {
                    stale = true;
                }
            }
            if (stale) {
                table.keep(series -> series.round == round);
            }
        } finally {
            reading.unlock();
        }
    }

    private void call() {
        round++;
        boolean failed = false;
        try {
            callback.accept(this);
        } catch (RuntimeException | LinkageError e) {
            family.refuse("the callback failed with " + e.getClass().getName());
            failed = true;
            round++; // a subset of the samples would be misleading
        }
        if (family.labelNames.isEmpty()) {
            CallbackSeries only = table.sorted().get(0);
            only.round = round;
            if (failed && family.type == MetricType.GAUGE) {
                only.set(Double.NaN, 0);
            }
        }
    }

    void sample(double value, long count, String... labels) {
        boolean valid = family.type == MetricType.GAUGE || value >= 0 && value < Double.POSITIVE_INFINITY && count >= 0;
        boolean fits = labels != null && labels.length == family.labelNames.size();
        if (!valid || !fits || !reading.isHeldByCurrentThread()) {
            family.refuse("the callback set a sample with the wrong number of labels or an invalid value");
            return;
        }
        CallbackSeries series = with(labels);
        if (series.round != round) {
            series.round = round;
            series.set(value, count);
        } else if (table.isOverflow(series)) {
            series.set(series.value + value, series.count + count);
        } else {
            family.refuse("the callback set one label set twice");
            series.set(value, count);
        }
    }

    /** Returns false if the callback is still running in another scrape, or started this scrape. */
    private boolean begin() {
        if (reading.isHeldByCurrentThread()) {
            return false;
        }
        try {
            return reading.tryLock() || reading.tryLock(LOCK_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
