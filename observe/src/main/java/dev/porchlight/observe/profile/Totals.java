// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

/** Plain counts per bucket, the sum of all durations and the longest. Not thread-safe. */
final class Totals {
    private static final double NANOS_PER_MS = 1e6;

    final long[] counts = new long[LogLinear.BUCKETS];
    long sum;
    long longest;

    void add(Totals other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        sum += other.sum;
        longest = Math.max(longest, other.longest);
    }

    RouteStatistics statistics() {
        long count = 0;
        for (long inBucket : counts) {
            count += inBucket;
        }
        if (count == 0) {
            return RouteStatistics.NONE;
        }
        return new RouteStatistics(
                percentile(50, count),
                percentile(95, count),
                percentile(99, count),
                count,
                (double) sum / count / NANOS_PER_MS);
    }

    /** The value at rank ceil(percent / 100 * count). */
    private double percentile(int percent, long count) {
        long rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
        int bucket = -1;
        for (long seen = 0; seen < rank; ) {
            seen += counts[++bucket];
        }
        return Math.min(LogLinear.middle(bucket), (double) longest) / NANOS_PER_MS;
    }
}
