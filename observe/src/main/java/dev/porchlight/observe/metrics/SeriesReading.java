// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one series at one moment: what a live series passes to a {@link Visitor}, such as a writer or the builder
 * of a {@link MetricSnapshot}.
 *
 * <p>One reading is filled again for each series of a scrape. An object per series would cost every scrape tens of
 * kilobytes and a measurable share of its time. A visitor copies what it keeps. Not thread-safe.
 */
final class SeriesReading {
    Series series;
    /** The whole part of a counter's value; the nanoseconds of a histogram's sum. */
    long whole;
    /** A gauge's value or a summary's sum; of a counter or histogram what {@link #whole} cannot hold. */
    double part;
    /** The number of observations of a histogram or summary. */
    long count;
    /** Cumulative counts of a histogram; valid up to its number of buckets. */
    long[] buckets = new long[16];
    /** Of a counter. */
    @Nullable
    Exemplar exemplar;

    /** Of a histogram, by bucket. */
    @Nullable
    Exemplar[] exemplars = new Exemplar[0];

    /** Receives the readings of a metric's series, ordered by label values. */
    interface Visitor {
        /** A metric begins. */
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

    /** Makes room for this many buckets. */
    long[] buckets(int number) {
        if (buckets.length < number) {
            buckets = Arrays.copyOf(buckets, number);
        }
        return buckets;
    }

    /** The value of a counter or gauge, the sum of a histogram or summary. */
    double value() {
        return series.family.type == MetricType.HISTOGRAM ? whole / 1e9 + part : whole + part;
    }
}
