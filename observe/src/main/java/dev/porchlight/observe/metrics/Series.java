// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One label set of a metric and its values. Bind it once to record without a lookup. Thread-safe. */
public abstract sealed class Series permits CounterSeries, GaugeSeries, HistogramSeries, CallbackMetric.CallbackSeries {
    final Family family;
    final String[] values;
    final int hash;
    /** Copies of the first three values, so that a lookup reads one object. */
    final @Nullable String first;

    final @Nullable String second;
    final @Nullable String third;
    /** Cached text for {@link TextWriter}, which is the same in every scrape. */
    volatile byte @Nullable [][] text;

    Series(Family family, String[] values) {
        this.family = family;
        this.values = values;
        this.hash = SeriesTable.hash(values);
        this.first = values.length > 0 ? values[0] : null;
        this.second = values.length > 1 ? values[1] : null;
        this.third = values.length > 2 ? values[2] : null;
    }

    abstract void read(SeriesReading into);

    @Override
    public final String toString() {
        return family.name + family.labelNames + "=" + Arrays.toString(values);
    }
}
