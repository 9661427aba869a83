// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of one metric at one moment, for code that reads metrics. Immutable.
 *
 * @param name the name as registered
 * @param labelNames the label names, in the order of registration
 * @param series one element per set of label values, ordered by label values
 */
public record MetricSnapshot(String name, MetricType type, String help, List<String> labelNames, List<Series> series) {
    public MetricSnapshot {
        labelNames = List.copyOf(labelNames);
        series = List.copyOf(series);
    }

    /**
     * The values of one series.
     *
     * @param labels the label values by name
     * @param value the value of a counter or gauge, the sum of a histogram or summary
     * @param count the number of observations of a histogram or summary, otherwise 0
     * @param buckets the buckets of a histogram, ascending; otherwise empty
     */
    public record Series(Map<String, String> labels, double value, long count, List<Bucket> buckets) {
        public Series {
            labels = Map.copyOf(labels);
            buckets = List.copyOf(buckets);
        }
    }

    /** The number of observations up to and including {@code upperBound}; the last bucket's bound is infinite. */
    public record Bucket(double upperBound, long cumulativeCount) {}

    static MetricSnapshot of(Metric<?> metric) {
        Family family = metric.family;
        List<Series> series = new ArrayList<>();
        metric.read(new SeriesReading(), reading -> series.add(series(reading)));
        return new MetricSnapshot(family.name, family.type, family.help, family.labelNames, series);
    }

    private static Series series(SeriesReading reading) {
        Family family = reading.series.family;
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < family.labelNames.size(); i++) {
            labels.put(family.labelNames.get(i), reading.series.values[i]);
        }
        List<Bucket> buckets = new ArrayList<>();
        if (family.buckets != null) {
            for (int i = 0; i < family.buckets.count(); i++) {
                buckets.add(new Bucket(family.buckets.bound(i), reading.buckets[i]));
            }
        }
        return new Series(labels, reading.value(), reading.count, buckets);
    }
}
