// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A metric whose values are read from a callback at each scrape.
 *
 * <p>Concurrent scrapes take turns. A callback that throws, or that another scrape is still stuck in, costs this metric its
 * samples and nobody else anything: labelled ones are left out, a gauge without labels reads NaN, a counter keeps its
 * last value.
 */
final class CallbackMetric extends Metric<CallbackSeries> {
    private static final long PATIENCE_MILLIS = 500;

    private final Consumer<CallbackMetric> callback;
    private final ReentrantLock reading = new ReentrantLock();
    private int round;

    CallbackMetric(Family family, Consumer<CallbackMetric> callback) {
        super(family, values -> new CallbackSeries(family, values));
        this.callback = callback;
    }

    static CallbackMetric ofSamples(Family family, Consumer<Samples> callback) {
        return new CallbackMetric(
                family, metric -> callback.accept((value, labels) -> metric.sample(value, 0, labels)));
    }

    static CallbackMetric ofTotals(Family family, Consumer<Totals> callback) {
        return new CallbackMetric(
                family, metric -> callback.accept((count, sum, labels) -> metric.sample(sum, count, labels)));
    }

    @Override
    void write(Scrape scrape) {
        if (!begin()) {
            family.misused("another scrape is still inside the callback");
            family.writeHeader(scrape);
            return;
        }
        try {
            read();
            family.writeHeader(scrape);
            boolean stale = false;
            for (CallbackSeries series : table.sorted()) {
                if (series.round == round) {
                    series.write(scrape);
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

    private void read() {
        round++;
        boolean failed = false;
        try {
            callback.accept(this);
        } catch (RuntimeException | LinkageError e) {
            family.misused("the callback failed with " + e.getClass().getName());
            failed = true;
            round++; // what it gave before it failed is half the truth
        }
        if (family.labelNames.isEmpty()) {
            CallbackSeries only = table.sorted().get(0);
            only.round = round;
            if (failed && family.type == Type.GAUGE) {
                only.set(Double.NaN, 0);
            }
        }
    }

    private void sample(double value, long count, String... labels) {
        boolean negative = family.type != Type.GAUGE && !(value >= 0 && value < Double.POSITIVE_INFINITY && count >= 0);
        boolean fits = labels != null && labels.length == family.labelNames.size();
        if (negative || !fits || !reading.isHeldByCurrentThread()) {
            family.misused("the callback gave a sample that does not fit");
            return;
        }
        CallbackSeries series = with(labels);
        if (series.round != round) {
            series.round = round;
            series.set(value, count);
        } else if (table.isOverflow(series)) {
            series.add(value, count);
        } else {
            family.misused("the callback gave one label set twice");
            series.set(value, count);
        }
    }

    /** False when another scrape is still inside the callback, or this one, having been started from it. */
    private boolean begin() {
        if (reading.isHeldByCurrentThread()) {
            return false;
        }
        try {
            return reading.tryLock() || reading.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
