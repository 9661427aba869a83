// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import org.jspecify.annotations.Nullable;

/**
 * One series in an export: its values, and those that the collector has accepted. The difference is what a delta export
 * sends, so a failed export loses nothing and counts nothing twice. Confined to the worker thread.
 */
final class Point {
    private static final @Nullable Exemplar[] NO_EXEMPLARS = {};

    final Series series;
    final boolean delta;

    /** The time at which the values started to count: of the series, or of the accepted values. */
    long start;

    long time;
    double value;
    long count;
    /** Cumulative counts of the buckets; empty unless this is a histogram with explicit bounds. */
    long[] buckets = new long[0];

    final Exponential.@Nullable Reading exponential;

    @Nullable
    Exemplar[] exemplars = NO_EXEMPLARS;

    /** The encoded labels, which are the same in every export. */
    byte @Nullable [] labels;

    private double acceptedValue;
    private long acceptedCount;
    private long[] acceptedBuckets = new long[0];
    private final Exponential.@Nullable Reading acceptedExponential;
    private int round;

    Point(Series series, boolean delta, boolean exponential, long start) {
        this.series = series;
        this.delta = delta;
        this.start = start;
        this.exponential = exponential ? new Exponential.Reading() : null;
        this.acceptedExponential = exponential && delta ? new Exponential.Reading() : null;
    }

    /** Copies a reading. Returns whether there is anything to send. */
    boolean collect(SeriesReading reading, int newRound, int exemplarRound, long previous, long now) {
        boolean restarted = series.family.type != MetricType.GAUGE && reading.value() < value;
        if (restarted && !delta) {
            start = previous;
        }
        round = newRound;
        time = now;
        value = reading.value();
        count = reading.count;
        Buckets bounds = series.family.buckets;
        if (exponential != null) {
            exponential.copy(reading.exponential);
            count = exponential.count();
        } else if (bounds != null) {
            if (buckets.length == 0) {
                buckets = new long[bounds.count()];
            }
            System.arraycopy(reading.buckets, 0, buckets, 0, buckets.length);
        }
        exemplars(reading, exemplarRound);
        if (delta && value < acceptedValue) { // a callback's counter has restarted
            acceptedValue = 0;
        }
        return !delta || value != acceptedValue || count != acceptedCount;
    }

    /** Keeps the exemplars that were taken since the previous collection. */
    private void exemplars(SeriesReading reading, int exemplarRound) {
        exemplars = NO_EXEMPLARS;
        if (series.family.buckets == null) {
            if (isNew(reading.exemplar, exemplarRound)) {
                exemplars = new Exemplar[] {reading.exemplar};
            }
            return;
        }
        for (int i = 0; i < reading.exemplars.length; i++) {
            Exemplar exemplar = reading.exemplars[i]; // recordings replace it concurrently
            if (isNew(exemplar, exemplarRound)) {
                if (exemplars.length == 0) {
                    exemplars = new Exemplar[reading.exemplars.length];
                }
                exemplars[i] = exemplar;
            }
        }
    }

    private static boolean isNew(@Nullable Exemplar exemplar, int exemplarRound) {
        return exemplar != null && exemplar.round() >= exemplarRound;
    }

    boolean collectedSince(int wanted) {
        return round >= wanted;
    }

    double sentValue() {
        return delta ? value - acceptedValue : value;
    }

    long sentCount() {
        return delta ? count - acceptedCount : count;
    }

    /** Copies the counts of the buckets, not cumulative, into {@code sent}. */
    void sentBuckets(long[] sent) {
        for (int i = 0; i < buckets.length; i++) {
            sent[i] = total(i) - (i == 0 ? 0 : total(i - 1));
        }
    }

    private long total(int bucket) {
        return buckets[bucket] - (delta && bucket < acceptedBuckets.length ? acceptedBuckets[bucket] : 0);
    }

    Exponential.Reading sentExponential() {
        Exponential.Reading sent = new Exponential.Reading();
        if (exponential != null && acceptedExponential != null) {
            sent.difference(exponential, acceptedExponential);
        } else if (exponential != null) {
            sent.copy(exponential);
        }
        return sent.limited();
    }

    /** Called when the collector has accepted the sent values. */
    void accepted() {
        if (delta) {
            acceptedValue = value;
            acceptedCount = count;
            long[] reused = acceptedBuckets;
            acceptedBuckets = buckets;
            buckets = reused;
            if (acceptedExponential != null && exponential != null) {
                acceptedExponential.copy(exponential);
            }
            start = time;
        }
    }
}
