// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What one contestant needed, round by round: nanoseconds and allocated bytes an operation. Not thread-safe. */
final class Measurement {
    private final String label;
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();

    Measurement(String label) {
        this.label = label;
    }

    void add(double nanosPerOperation, double bytesPerOperation) {
        nanos.add(nanosPerOperation);
        bytes.add(bytesPerOperation);
    }

    String label() {
        return label;
    }

    double medianNanos() {
        return median(nanos);
    }

    double medianBytes() {
        return median(bytes);
    }

    double lowestNanos() {
        return Collections.min(nanos);
    }

    double highestNanos() {
        return Collections.max(nanos);
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
