// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one series at one moment, which a series passes to a {@link Visitor} such as a writer.
 *
 * <p>A scrape reuses one reading for all series, because an object per series would cost tens of kilobytes and
 * measurable time. A visitor must copy values it keeps. Not thread-safe.
 */
final class SeriesReading {
    Series series;
    /** The whole part of a counter's value; the nanoseconds of a histogram's sum. */
    long whole;
    /** The value of a gauge or the sum of a summary; for a counter or histogram, the part that {@link #whole} cannot hold. */
    double part;
    /** The number of observations of a histogram or summary. */
    long count;
    /** Cumulative counts of a histogram; valid up to its number of buckets. */
    long[] buckets = new long[16];
    /** The exemplar of a counter. */
    @Nullable
    Exemplar exemplar;

    /** The exemplars of a histogram, by bucket. */
    @Nullable
    Exemplar[] exemplars = new Exemplar[0];

    /** Whether a histogram is to fill {@link #exponential}. */
    boolean wantsExponential;

    /** The exponential buckets of a histogram, if wanted. */
    final Exponential.Reading exponential = new Exponential.Reading();

    /** Receives the readings of a metric's series, ordered by label values. */
    interface Visitor {
        /** Called before the series of a metric. */
        default void metric(Family family) {}

        void series(SeriesReading reading);
    }

    @SuppressWarnings("NullAway.Init") // filled before any visitor sees it
    SeriesReading() {}

    void set(Series read, long newWhole, double newPart, long newCount) {
        series = read;
        whole = newWhole;
        part = newPart;
        count = newCount;
        exemplar = null;
    }

    boolean hasExponential() {
        return wantsExponential && series.family.type == MetricType.HISTOGRAM;
    }

    /** Ensures capacity for this many buckets. */
    long[] buckets(int number) {
        if (buckets.length < number) {
            buckets = Arrays.copyOf(buckets, number);
        }
        return buckets;
    }

    /** Returns the value of a counter or gauge, or the sum of a histogram or summary. */
    double value() {
        return series.family.type == MetricType.HISTOGRAM ? whole / 1e9 + part : whole + part;
    }
}
