// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One label set of a metric, with its values: what a caller binds once and records into without a lookup. */
public abstract sealed class Series permits CounterSeries, GaugeSeries, HistogramSeries, CallbackSeries {
    final Family family;
    final String[] values;
    final int hash;
    /** The first three values again, so that a lookup finds all it compares in one place. */
    final @Nullable String first;

    final @Nullable String second;
    final @Nullable String third;

    Series(Family family, String[] values) {
        this.family = family;
        this.values = values;
        this.hash = SeriesTable.hash(values);
        this.first = values.length > 0 ? values[0] : null;
        this.second = values.length > 1 ? values[1] : null;
        this.third = values.length > 2 ? values[2] : null;
    }

    /** The label values in the order of the metric's label names. */
    public final List<String> labelValues() {
        return List.of(values);
    }

    abstract void write(Scrape scrape);

    /** The bytes of {@code name{labels} } up to the value: what every scrape repeats. */
    final byte[] prefix(String name) {
        byte[] pairs = Labels.pairs(family.labelNames, values);
        WireBuffer out = new WireBuffer(name.length() + pairs.length + 3).ascii(name);
        if (pairs.length > 0) {
            out.put('{').put(pairs).put('}');
        }
        return out.put(' ').toByteArray();
    }

    /** The same for a second name, with the first one's bytes where the two names are equal. */
    final byte[] prefix(String name, byte[] first) {
        byte[] second = prefix(name);
        return Arrays.equals(first, second) ? first : second;
    }

    @Override
    public final String toString() {
        return family.name() + family.labelNames + "=" + Arrays.toString(values);
    }
}
