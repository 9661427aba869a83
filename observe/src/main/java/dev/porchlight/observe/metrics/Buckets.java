// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;

/** The upper bounds of a histogram, in seconds and in nanoseconds, and their {@code le} labels as bytes. */
final class Buckets {
    private static final int LINEAR = 16;
    private static final double NANOS = 1e9;

    private final double[] bounds;
    private final long[] nanoBounds;
    private final byte[][] labels;

    Buckets(String metric, double[] upperBounds) {
        bounds = Arrays.stream(upperBounds).map(bound -> bound + 0.0).toArray(); // a negative zero becomes zero
        check(metric, bounds);
        nanoBounds = Arrays.stream(bounds).mapToLong(Buckets::nanos).toArray();
        labels = new byte[bounds.length + 1][];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = label(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY);
        }
    }

    /** How many buckets there are, the one up to infinity among them. */
    int count() {
        return labels.length;
    }

    /** The bytes {@code le="bound"} } of bucket {@code i}. */
    byte[] label(int i) {
        return labels[i];
    }

    /** The first bucket whose bound is not below {@code value}. */
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
        while (low < high && value > bounds[low]) { // short and well predicted: most latencies end early
            low++;
        }
        return low;
    }

    /** The bucket that {@code indexOf(nanos / 1e9)} would give, without the division. */
    int indexOfNanos(long nanos) {
        int low = 0;
        int high = nanoBounds.length;
        while (high - low > LINEAR) {
            int middle = low + high >>> 1;
            if (nanos > nanoBounds[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while (low < high && nanos > nanoBounds[low]) {
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
                        + " is not a finite number of at least 0 (+Inf is added by itself)");
            }
            if (bound <= last) {
                throw new IllegalArgumentException(
                        "histogram " + metric + ": bucket bounds must ascend, but " + bound + " follows " + last);
            }
            last = bound;
        }
    }

    /** The largest number of nanoseconds that, turned into seconds, does not pass {@code bound}. */
    private static long nanos(double bound) {
        long nanos = Math.round(bound * NANOS);
        while (nanos > 0 && nanos / NANOS > bound) {
            nanos--;
        }
        while (nanos < Long.MAX_VALUE && (nanos + 1) / NANOS <= bound) {
            nanos++;
        }
        return nanos;
    }

    /** Canonical, so that a series keeps its identity whichever format it is scraped in: {@code 1.0}, never {@code 1}. */
    private static byte[] label(double bound) {
        WireBuffer out = new WireBuffer(16).ascii("le=\"");
        int from = out.length();
        ShortestDouble.write(out, bound);
        String text = out.toString().substring(from);
        if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            out.ascii(".0");
        }
        return out.ascii("\"} ").toByteArray();
    }
}
