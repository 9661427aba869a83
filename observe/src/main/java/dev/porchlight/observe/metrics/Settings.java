// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.function.Consumer;

/** What a registry hands to each of its metrics. */
record Settings(
        int seriesLimit, Consumer<SeriesOverflow> onOverflow, Consumer<MetricMisuse> onMisuse, Exemplars exemplars) {
    Settings {
        if (seriesLimit < 1) {
            throw new IllegalArgumentException("a series limit of " + seriesLimit + " leaves no series");
        }
    }
}
