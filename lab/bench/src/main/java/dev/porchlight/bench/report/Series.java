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

    public double sum() {
        return values.stream().mapToDouble(it -> it).sum();
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
