// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

/**
 * Log-linear buckets of durations: 64 equal buckets per power of two, from a microsecond to 104 days. The middle of a
 * bucket is within 1/128 of every value in it. Below a microsecond, buckets are 16 ns wide.
 */
final class LogLinear {
    static final int SUB_BITS = 6;
    static final int LOWEST_EXPONENT = 10;
    static final int HIGHEST_EXPONENT = 52;
    static final int BUCKETS = (HIGHEST_EXPONENT - LOWEST_EXPONENT + 2) << SUB_BITS;

    private static final int SUB_MASK = (1 << SUB_BITS) - 1;
    private static final int FINEST_SHIFT = LOWEST_EXPONENT - SUB_BITS;
    static final long LARGEST = (1L << (HIGHEST_EXPONENT + 1)) - 1;

    private LogLinear() {}

    /** The bucket of a duration from 0 to {@link #LARGEST}. */
    static int index(long nanos) {
        int exponent = 63 - Long.numberOfLeadingZeros(nanos | 1);
        if (exponent < LOWEST_EXPONENT) {
            return (int) (nanos >>> FINEST_SHIFT);
        }
        return ((exponent - LOWEST_EXPONENT + 1) << SUB_BITS) | (int) (nanos >>> (exponent - SUB_BITS)) & SUB_MASK;
    }

    /** The middle of a bucket, in nanoseconds. */
    static double middle(int index) {
        int band = index >>> SUB_BITS;
        int sub = index & SUB_MASK;
        if (band == 0) {
            return (sub + 0.5) * (1L << FINEST_SHIFT);
        }
        long width = 1L << (band - 1 + FINEST_SHIFT);
        return (64 + sub + 0.5) * width;
    }
}
