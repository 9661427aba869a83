// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One label set of a metric, with its values: what a caller binds once and records into without a lookup. Thread-safe. */
public abstract sealed class Series permits CounterSeries, GaugeSeries, HistogramSeries, CallbackMetric.CallbackSeries {
    final Family family;
    final String[] values;
    final int hash;
    /** The first three values again, so that a lookup finds all it compares in one place. */
    final @Nullable String first;

    final @Nullable String second;
    final @Nullable String third;
    /** Text that every scrape repeats; rendered and read by {@link TextWriter}. */
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
