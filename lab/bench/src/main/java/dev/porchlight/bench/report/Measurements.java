// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** One figure, measured in several rounds. Not thread-safe. */
public final class Measurements {
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

    /** Our figure as a share of this peer's, such as {@code 0.25 of it}; empty for our own. */
    public String share(Measurements ours) {
        double value = ours.median() / median();
        return this == ours ? "" : String.format(Locale.ROOT, value < 0.095 ? "%.3f of it" : "%.2f of it", value);
    }

    /** The median, formatted for example as {@code %.1f ms}. */
    public String shown(String format) {
        return String.format(Locale.ROOT, format, median());
    }

    /** The range from the lowest to the highest value, formatted. */
    public String spread(String format) {
        return String.format(Locale.ROOT, format + " to " + format, lowest(), highest());
    }
}
