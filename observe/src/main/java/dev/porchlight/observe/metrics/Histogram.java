// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The distribution of observed amounts over buckets, with their count and sum. Thread-safe; recording takes no lock and
 * allocates nothing. For amounts of at least zero; durations have {@link Timer}.
 */
public final class Histogram extends Metric<HistogramSeries> {
    private static final double[] LATENCIES = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    Histogram(Family family) {
        super(family, values -> new HistogramSeries(family, values));
    }

    /** The default bounds of Prometheus: 5 ms to 10 s, for the latencies of a service. */
    public static double[] latencyBuckets() {
        return LATENCIES.clone();
    }

    /** Observes an amount in a histogram without labels. */
    public void observe(double value) {
        only().observe(value);
    }
}
