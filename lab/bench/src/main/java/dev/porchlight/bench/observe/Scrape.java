// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.metrics.Format;
import dev.porchlight.observe.metrics.MetricRegistry;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Writes 360 counter series and 360 histogram series of 11 buckets (5,400 lines) as text 0.0.4. */
@State(Scope.Thread)
public class Scrape {
    private final PrometheusRegistry theirs = new PrometheusRegistry();
    private final PrometheusTextFormatWriter theirWriter = PrometheusTextFormatWriter.create();
    private final MetricRegistry ours = new MetricRegistry();
    private final OutputStream nowhere = OutputStream.nullOutputStream();

    @Setup
    public void fill() {
        var theirCounter = Counter.builder()
                .name("requests_total")
                .help("Requests.")
                .labelNames(LabelSets.LABEL_NAMES)
                .register(theirs);
        var theirHistogram = Histogram.builder()
                .name("duration_seconds")
                .help("Durations.")
                .classicOnly()
                .classicUpperBounds(LabelSets.BUCKETS)
                .labelNames(LabelSets.LABEL_NAMES)
                .register(theirs);
        var ourCounter = ours.counter("requests_total")
                .help("Requests.")
                .labels(LabelSets.LABEL_NAMES)
                .register();
        var ourHistogram = ours.histogram("duration_seconds")
                .help("Durations.")
                .buckets(LabelSets.BUCKETS)
                .labels(LabelSets.LABEL_NAMES)
                .register();
        double[] seconds = Durations.seconds();
        for (String[] labels : LabelSets.all()) {
            for (double value : seconds) {
                theirCounter.labelValues(labels).inc();
                theirHistogram.labelValues(labels).observe(value);
                ourCounter.with(labels[0], labels[1], labels[2]).inc();
                ourHistogram.with(labels[0], labels[1], labels[2]).observe(value);
            }
        }
    }

    @Benchmark
    public void clientJava() throws IOException {
        theirWriter.write(nowhere, theirs.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    }

    @Benchmark
    public void ours() throws IOException {
        ours.scrape(Format.TEXT, nowhere);
    }
}
