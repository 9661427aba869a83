// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.MetricSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The growth of a counter's series between two readings. Not thread-safe. */
final class CounterGrowth {
    private final MetricRegistry registry;
    private final String name;
    private final Map<Map<String, String>, Long> lastValues = new HashMap<>();

    CounterGrowth(MetricRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
    }

    /** The growth of one series. */
    record Growth(Map<String, String> labels, long count) {
        String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    /** Returns the series that grew since the last call, ordered by label values. Empty until the counter is registered. */
    List<Growth> growth() {
        List<Growth> growth = new ArrayList<>();
        registry.snapshot(name).map(MetricSnapshot::series).orElse(List.of()).forEach(series -> {
            long value = (long) series.value();
            Long before = lastValues.put(series.labels(), value);
            long increase = value - (before == null ? 0 : before);
            if (increase > 0) {
                growth.add(new Growth(series.labels(), increase));
            }
        });
        return growth;
    }
}
