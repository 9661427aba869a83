// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** One figure, round by round. Not thread-safe. */
public final class Series {
    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    public double median() {
        var sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double lowest() {
        return Collections.min(values);
    }

    public double highest() {
        return Collections.max(values);
    }

    /** The sum of all rounds, as a whole number. */
    public String total() {
        return String.format(
                Locale.ROOT, "%.0f", values.stream().mapToDouble(it -> it).sum());
    }

    /** How much of this peer's figure ours is, as in {@code 0.25 of it}; empty for ours itself. */
    public String share(Series ours) {
        double value = ours.median() / median();
        return this == ours ? "" : String.format(Locale.ROOT, value < 0.095 ? "%.3f of it" : "%.2f of it", value);
    }

    /** The median, in a format such as {@code %.1f ms}. */
    public String shown(String format) {
        return String.format(Locale.ROOT, format, median());
    }

    /** From the lowest to the highest, each in the format. */
    public String spread(String format) {
        return String.format(Locale.ROOT, format + " to " + format, lowest(), highest());
    }
}
