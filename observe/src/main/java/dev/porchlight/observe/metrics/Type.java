// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.List;

/** The kind of a metric, as its TYPE line calls it. */
enum Type {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram"),
    SUMMARY("summary");

    final String word;

    Type(String word) {
        this.word = word;
    }

    /** What OpenMetrics puts, or lets a writer put, behind the family's name. */
    List<String> suffixes() {
        return switch (this) {
            case COUNTER -> List.of("_total", "_created");
            case GAUGE -> List.of();
            case HISTOGRAM -> List.of("_bucket", "_sum", "_count", "_created");
            case SUMMARY -> List.of("_sum", "_count", "_created");
        };
    }
}
