// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The distribution of observed values over buckets, with their count and sum. Values must be at least zero. Use {@link
 * Timer} for durations. Thread-safe; recording is lock-free and does not allocate.
 */
public final class Histogram extends Metric<HistogramSeries> {
    private static final double[] LATENCIES = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    Histogram(Family family) {
        super(family, values -> new HistogramSeries(family, values));
    }

    /** Returns the default bounds of Prometheus for latencies: 5 ms to 10 s. */
    public static double[] latencyBuckets() {
        return LATENCIES.clone();
    }

    /** Observes a value in a histogram without labels. */
    public void observe(double value) {
        only().observe(value);
    }
}
