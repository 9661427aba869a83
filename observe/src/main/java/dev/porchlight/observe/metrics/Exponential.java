// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Base-2 exponential buckets of one series: {@value #PER_OCTAVE} per power of two, from 2^-64 to 2^64. Bucket {@code i}
 * holds the values above 2^(i/8) up to 2^((i+1)/8). The buckets of an octave are created with its first value. Thread-safe.
 */
final class Exponential {
    /** OTLP's scale and Prometheus's schema. */
    static final int SCALE = 3;

    /** Values up to this one are in the zero bucket. */
    static final double ZERO_THRESHOLD = 0x1p-64;

    static final int PER_OCTAVE = 1 << SCALE;
    private static final int LOWEST = -64;
    private static final int OCTAVES = 128;
    private static final int MANTISSA_BITS = 52;
    private static final long MANTISSA = (1L << MANTISSA_BITS) - 1;

    /** The mantissas of 2^(1/8) to 2^(7/8). */
    private static final long[] BOUNDS = new long[PER_OCTAVE - 1];

    static {
        for (int i = 0; i < BOUNDS.length; i++) {
            BOUNDS[i] = Double.doubleToRawLongBits(Math.pow(2, (i + 1.0) / PER_OCTAVE)) & MANTISSA;
        }
    }

    private final AtomicLong zeros = new AtomicLong();
    private final AtomicReferenceArray<@Nullable AtomicLongArray> octaves = new AtomicReferenceArray<>(OCTAVES);

    /** Adds {@code count} observations of a finite value of at least 0. */
    void add(double value, long count) {
        if (value <= ZERO_THRESHOLD) {
            zeros.getAndAdd(count);
            return;
        }
        int slot = Math.min(index(value) - LOWEST * PER_OCTAVE, OCTAVES * PER_OCTAVE - 1);
        AtomicLongArray octave = octaves.getAcquire(slot >> SCALE);
        (octave == null ? octave(slot >> SCALE) : octave).getAndAdd(slot & PER_OCTAVE - 1, count);
    }

    /** Returns the bucket of a value above 0. */
    static int index(double value) {
        long bits = Double.doubleToRawLongBits(value);
        long mantissa = bits & MANTISSA;
        int first = ((int) (bits >>> MANTISSA_BITS) - Double.MAX_EXPONENT) << SCALE;
        if (mantissa == 0) {
            return first - 1; // a power of two is the upper bound of a bucket
        }
        int sub = mantissa > BOUNDS[3] ? 4 : 0;
        sub += mantissa > BOUNDS[sub + 1] ? 2 : 0;
        sub += mantissa > BOUNDS[sub] ? 1 : 0;
        return first + sub;
    }

    private AtomicLongArray octave(int number) {
        AtomicLongArray made = new AtomicLongArray(PER_OCTAVE);
        AtomicLongArray present = octaves.compareAndExchange(number, null, made);
        return present == null ? made : present;
    }

    void read(Reading into) {
        into.clear(zeros.get());
        for (int number = 0; number < OCTAVES; number++) {
            AtomicLongArray octave = octaves.getAcquire(number);
            for (int sub = 0; octave != null && sub < PER_OCTAVE; sub++) {
                into.put((LOWEST + number) * PER_OCTAVE + sub, octave.get(sub));
            }
        }
    }

    /** The buckets of one series at one moment, from the first to the last that is not empty. Not thread-safe. */
    static final class Reading {
        /** The limit of buckets in an export; neighbors are merged beyond it. */
        static final int MAX_BUCKETS = 160;

        long zeros;
        int scale = SCALE;
        int first;
        int length;
        long[] counts = new long[PER_OCTAVE];

        void clear(long newZeros) {
            zeros = newZeros;
            scale = SCALE;
            length = 0;
        }

        /** Puts the count of a bucket. Indexes ascend. */
        void put(int index, long count) {
            if (count == 0) {
                return;
            }
            if (length == 0) {
                first = index;
            }
            int size = index - first + 1;
            if (size > counts.length) {
                counts = Arrays.copyOf(counts, Math.max(size, 2 * counts.length));
            }
            Arrays.fill(counts, length, size - 1, 0);
            counts[size - 1] = count;
            length = size;
        }

        long count() {
            long count = zeros;
            for (int i = 0; i < length; i++) {
                count += counts[i];
            }
            return count;
        }

        /** Sets this to the observations in {@code now} that are not in {@code before}, an earlier reading. */
        void difference(Reading now, Reading before) {
            clear(now.zeros - before.zeros);
            for (int i = 0; i < now.length; i++) {
                int at = now.first + i - before.first;
                put(now.first + i, now.counts[i] - (at >= 0 && at < before.length ? before.counts[at] : 0));
            }
        }

        void copy(Reading other) {
            clear(other.zeros);
            for (int i = 0; i < other.length; i++) {
                put(other.first + i, other.counts[i]);
            }
        }

        /** Merges neighbors until there are at most {@value #MAX_BUCKETS} buckets. */
        Reading limited() {
            while (length > MAX_BUCKETS) {
                int last = first + length - 1;
                int merged = first >> 1;
                int size = (last >> 1) - merged + 1;
                for (int i = 0; i < size; i++) {
                    int left = 2 * (merged + i) - first;
                    counts[i] = at(left) + at(left + 1);
                }
                first = merged;
                length = size;
                scale--;
            }
            return this;
        }

        private long at(int i) {
            return i >= 0 && i < length ? counts[i] : 0;
        }
    }
}
