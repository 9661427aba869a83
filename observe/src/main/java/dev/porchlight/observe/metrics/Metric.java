// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named metric and its series, one per set of label values.
 *
 * <p>Neither binding ({@code with}) nor recording throws. An invalid recording is refused, counted ({@link
 * #refusedCount}) and reported once. Wrong labels return a series that no scrape shows. Thread-safe.
 */
public abstract sealed class Metric<S extends Series> permits Counter, Gauge, Histogram, Timer, CallbackMetric {
    final Family family;
    final SeriesTable<S> table;
    private final String[] labelNames;
    private final Function<String[], S> maker;
    private final @Nullable S only;

    Metric(Family family, Function<String[], S> maker) {
        this.family = family;
        this.maker = maker;
        this.table = new SeriesTable<>(family, maker);
        this.labelNames = family.labelNames.toArray(String[]::new);
        this.only = labelNames.length == 0 ? table.find(labelNames) : null;
    }

    /** Returns the current values. Calls the callback of a callback metric. */
    public final MetricSnapshot snapshot() {
        return MetricSnapshot.of(this);
    }

    /** Returns the number of refused recordings: negative increments, NaN, wrong labels. */
    public final long refusedCount() {
        return family.refused.sum();
    }

    /** Returns how often a label set exceeded the series limit and was folded into the overflow series. */
    public final long overflowCount() {
        return family.overflowed.sum();
    }

    /** Returns how often a label value was truncated because it was longer than {@value SeriesTable#MAX_VALUE} characters. */
    public final long truncatedCount() {
        return family.truncated.sum();
    }

    /** Returns the series with this label value, creating it if necessary. */
    public final S with(String a) {
        return fits(1) ? table.find(value(a)) : detached();
    }

    /** Returns the series with these label values, in the order of the label names. */
    public final S with(String a, String b) {
        return fits(2) ? table.find(value(a), value(b)) : detached();
    }

    /** Returns the series with these label values, in the order of the label names. */
    public final S with(String a, String b, String c) {
        return fits(3) ? table.find(value(a), value(b), value(c)) : detached();
    }

    /** Returns the series with these label values, in the order of the label names. */
    public final S with(String... values) {
        if (!fits(values == null ? 0 : values.length) || values == null) {
            return detached();
        }
        String[] copy = new String[values.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = value(values[i]);
        }
        return table.find(copy);
    }

    /** Returns the series with these label values by name. The map must have exactly the metric's label names. */
    public final S with(Map<String, String> labels) {
        S found;
        try {
            found = named(labels);
        } catch (RuntimeException failure) { // a null map, or one whose own code fails
            found = null;
        }
        if (found == null) {
            family.refuse("it has labels " + family.labelNames + ", but got different ones");
            return detached();
        }
        return found;
    }

    /** Returns the series of a metric without labels. If it has labels, refuses and returns a detached series. */
    final S only() {
        if (only != null) {
            return only;
        }
        family.refuse("it has labels " + family.labelNames + ", but was recorded without labels");
        return detached();
    }

    void read(SeriesReading into, SeriesReading.Visitor visitor) {
        visitor.metric(family);
        for (S series : table.sorted()) {
            series.read(into);
            visitor.series(into);
        }
    }

    private boolean fits(int count) {
        if (count != labelNames.length) {
            family.refuse("it has labels " + family.labelNames + ", but got " + count + " values");
        }
        return count == labelNames.length;
    }

    /** Creates a series for recordings with wrong labels, which no scrape shows. */
    private S detached() {
        String[] values = new String[labelNames.length];
        Arrays.fill(values, "");
        return maker.apply(values);
    }

    /** Replaces null with the empty value, which Prometheus treats as an absent label. */
    private String value(@Nullable String value) {
        if (value == null) {
            family.refuse("a label value is null");
            return "";
        }
        return value;
    }

    private @Nullable S named(Map<String, String> labels) {
        String[] names = labelNames;
        if (labels.size() != names.length) {
            return null;
        }
        switch (names.length) {
            case 0 -> {
                return only;
            }
            case 1 -> {
                String a = labels.get(names[0]);
                return a == null ? null : table.find(a);
            }
            case 2 -> {
                String a = labels.get(names[0]);
                String b = labels.get(names[1]);
                return a == null || b == null ? null : table.find(a, b);
            }
            case 3 -> {
                String a = labels.get(names[0]);
                String b = labels.get(names[1]);
                String c = labels.get(names[2]);
                return a == null || b == null || c == null ? null : table.find(a, b, c);
            }
            default -> {
                String[] values = new String[names.length];
                for (int i = 0; i < names.length; i++) {
                    String value = labels.get(names[i]);
                    if (value == null) {
                        return null;
                    }
                    values[i] = value;
                }
                return table.find(values);
            }
        }
    }
}
