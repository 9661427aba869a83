// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.List;
import java.util.Locale;

/** The type of a metric. */
public enum MetricType {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY;

    /** Returns the lowercase name, as in a TYPE line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The suffixes that OpenMetrics may add to the family's name. */
    List<String> suffixes() {
        return switch (this) {
            case COUNTER -> List.of("_total", "_created");
            case GAUGE -> List.of();
            case HISTOGRAM -> List.of("_bucket", "_sum", "_count", "_created");
            case SUMMARY -> List.of("_sum", "_count", "_created");
        };
    }
}
