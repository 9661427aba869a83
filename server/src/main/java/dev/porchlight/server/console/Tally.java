// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.CounterSeries;
import dev.porchlight.observe.metrics.MetricRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** By how much the series of one counter grew since the last look. Not thread-safe. */
final class Tally {
    private final MetricRegistry registry;
    private final String name;
    private final Map<List<String>, Long> seen = new HashMap<>();

    Tally(MetricRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
    }

    /** The growth since the last call, summed up by what the label values are mapped to. */
    Map<List<String>, Long> growth(Function<List<String>, List<String>> key) {
        Map<List<String>, Long> growth = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (var metric : registry.metrics()) {
            if (metric.name().equals(name) && metric instanceof Counter counter) {
                for (CounterSeries series : counter.series()) {
                    List<String> labels = series.labelValues();
                    long value = (long) series.value();
                    long more = value - seen.getOrDefault(labels, 0L);
                    seen.put(labels, value);
                    if (more > 0) {
                        growth.merge(key.apply(labels), more, Long::sum);
                    }
                }
            }
        }
        return growth;
    }
}
