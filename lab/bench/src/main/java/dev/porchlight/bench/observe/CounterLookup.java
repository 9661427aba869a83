// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.metrics.MetricRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Increments a counter whose three label values are looked up each time, cycling through 360 series. */
@State(Scope.Thread)
public class CounterLookup {
    private final List<String[]> series = LabelSets.all();
    private final Counter theirs = Counter.builder()
            .name("requests_total")
            .help("h")
            .labelNames(LabelSets.LABEL_NAMES)
            .build();
    private final dev.porchlight.observe.metrics.Counter ours = new MetricRegistry()
            .counter("requests_total")
            .help("h")
            .labels(LabelSets.LABEL_NAMES)
            .register();
    private int next;

    @Benchmark
    public void clientJava() {
        String[] labels = nextLabels();
        theirs.labelValues(labels[0], labels[1], labels[2]).inc();
    }

    @Benchmark
    public void ours() {
        String[] labels = nextLabels();
        ours.with(labels[0], labels[1], labels[2]).inc();
    }

    private String[] nextLabels() {
        next = next == 359 ? 0 : next + 1;
        return series.get(next);
    }
}
