// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;

/** The upper bounds of a histogram. Immutable. */
final class Buckets {
    private static final int LINEAR = 16;

    private final double[] bounds;

    Buckets(String metric, double[] upperBounds) {
        bounds = Arrays.stream(upperBounds).map(bound -> bound + 0.0).toArray(); // a negative zero becomes zero
        check(metric, bounds);
    }

    /** Returns the number of buckets, including {@code +Inf}. */
    int count() {
        return bounds.length + 1;
    }

    /** Returns the bounds, without the infinite one. */
    double[] finite() {
        return bounds.clone();
    }

    /** Returns the upper bound of bucket {@code i}; the last is infinite. */
    double bound(int i) {
        return i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY;
    }

    /** Returns the first bucket whose bound is not below {@code value}. */
    int indexOf(double value) {
        int low = 0;
        int high = bounds.length;
        while (high - low > LINEAR) {
            int middle = low + high >>> 1;
            if (value > bounds[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while (low < high && value > bounds[low]) { // short and well predicted: most latencies are in the first buckets
            low++;
        }
        return low;
    }

    private static void check(String metric, double[] bounds) {
        if (bounds.length == 0) {
            throw new IllegalArgumentException("histogram " + metric + " needs at least one bucket");
        }
        double last = -1;
        for (double bound : bounds) {
            if (!(bound >= 0 && bound < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("histogram " + metric + ": bucket bound " + bound
                        + " is not a finite number of at least 0 (+Inf is added automatically)");
            }
            if (bound <= last) {
                throw new IllegalArgumentException(
                        "histogram " + metric + ": bucket bounds must ascend, but " + bound + " follows " + last);
            }
            last = bound;
        }
    }
}
