// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.metrics.HistogramSeries;
import dev.porchlight.observe.metrics.MetricRegistry;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Observes durations spread over 11 buckets on a child that is already bound. */
@State(Scope.Thread)
public class HistogramBound {
    private final DistributionDataPoint theirs = Histogram.builder()
            .name("duration_seconds")
            .help("h")
            .classicOnly()
            .classicUpperBounds(LabelSets.BUCKETS)
            .labelNames(LabelSets.LABEL_NAMES)
            .build()
            .labelValues("GET", "/x", "200");
    private final HistogramSeries ours = new MetricRegistry()
            .histogram("duration_seconds")
            .help("h")
            .buckets(LabelSets.BUCKETS)
            .labels(LabelSets.LABEL_NAMES)
            .register()
            .with("GET", "/x", "200");
    private final double[] seconds = Durations.seconds();
    private int next;

    @Benchmark
    public void clientJava() {
        theirs.observe(seconds[next++ & Durations.MASK]);
    }

    @Benchmark
    public void ours() {
        ours.observe(seconds[next++ & Durations.MASK]);
    }
}
