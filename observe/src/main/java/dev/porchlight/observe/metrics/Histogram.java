// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Map;

/**
 * How observed amounts spread over buckets, with their count and their sum. Thread-safe; recording takes no lock and
 * allocates nothing.
 *
 * <p>For amounts of at least zero, seconds by custom. Durations read from {@code System.nanoTime} belong in {@code
 * observeNanos}: their sum stays exact.
 */
public final class Histogram extends Metric<HistogramSeries> {
    private static final double[] LATENCIES = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    Histogram(Family family, Buckets buckets) {
        super(family, values -> new HistogramSeries(family, buckets, values));
    }

    /** The bounds Prometheus uses by default: 5 ms to 10 s, for the latencies of a service. */
    public static double[] latencyBuckets() {
        return LATENCIES.clone();
    }

    /** Observes an amount in a histogram without labels. */
    public void observe(double value) {
        HistogramSeries series = only();
        if (series != null) {
            series.observe(value);
        }
    }

    /** Observes a duration in a histogram of seconds without labels. */
    public void observeNanos(long nanos) {
        HistogramSeries series = only();
        if (series != null) {
            series.observeNanos(nanos);
        }
    }

    /** Observes an amount in the series with these labels. */
    public void observe(double value, Map<String, String> labels) {
        HistogramSeries series = lookUp(labels);
        if (series != null) {
            series.observe(value);
        }
    }

    /** Observes a duration in the series, of seconds, with these labels. */
    public void observeNanos(long nanos, Map<String, String> labels) {
        HistogramSeries series = lookUp(labels);
        if (series != null) {
            series.observeNanos(nanos);
        }
    }
}
