// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.page;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.MetricSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The growth of counters since they were last read. Not thread-safe. */
public final class CounterGrowth {
    private final MetricRegistry metrics;
    private final Map<String, Map<Map<String, String>, Long>> lastValues = new HashMap<>();

    public CounterGrowth(MetricRegistry metrics) {
        this.metrics = Objects.requireNonNull(metrics, "metrics");
    }

    /** The growth of one series. */
    public record Growth(Map<String, String> labels, long count) {
        /** The value of a label, or an empty string. */
        public String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    /** Returns the series that grew since the last call, ordered by label values. Empty until the counter is registered. */
    public List<Growth> of(String counter) {
        Map<Map<String, String>, Long> last = lastValues.computeIfAbsent(counter, name -> new HashMap<>());
        List<Growth> growth = new ArrayList<>();
        metrics.snapshot(counter).map(MetricSnapshot::series).orElse(List.of()).forEach(series -> {
            long value = (long) series.value();
            Long before = last.put(series.labels(), value);
            long increase = value - (before == null ? 0 : before);
            if (increase > 0) {
                growth.add(new Growth(series.labels(), increase));
            }
        });
        return growth;
    }
}
