// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExponentialTest {
    @Property
    void a_value_is_within_the_bounds_of_its_bucket(
            @ForAll @DoubleRange(min = 1, max = 2) double mantissa,
            @ForAll @IntRange(min = -50, max = 50) int exponent) {
        double value = Math.scalb(mantissa, exponent);
        int index = Exponential.index(value);
        assertThat(Math.pow(2, index / 8.0)).isLessThan(value * (1 + 1e-14));
        assertThat(Math.pow(2, (index + 1) / 8.0)).isGreaterThanOrEqualTo(value * (1 - 1e-14));
    }

    @Test
    void a_bound_belongs_to_the_bucket_below() {
        for (int i = -80; i < 80; i++) {
            double bound = Math.scalb(Math.pow(2, Math.floorMod(i, 8) / 8.0), Math.floorDiv(i, 8));
            assertThat(Exponential.index(bound)).isEqualTo(i - 1);
            assertThat(Exponential.index(Math.nextUp(bound))).isEqualTo(i);
        }
    }

    @Test
    void extreme_values_are_counted() {
        Exponential buckets = new Exponential();
        buckets.add(0, 1);
        buckets.add(Double.MIN_VALUE, 1);
        buckets.add(Double.MAX_VALUE, 1);
        buckets.add(0x1p64, 1);
        Exponential.Reading reading = new Exponential.Reading();
        buckets.read(reading);
        assertThat(reading.zeros).isEqualTo(2);
        assertThat(reading.first).isEqualTo(511);
        assertThat(reading.count()).isEqualTo(4);
    }

    @Test
    void neighbors_are_merged_until_the_buckets_fit() {
        Exponential buckets = new Exponential();
        double[] values = {1e-9, 3e-5, 0.7, 1, 2, 5e9};
        for (double value : values) {
            buckets.add(value, 2);
        }
        Exponential.Reading reading = new Exponential.Reading();
        buckets.read(reading);
        reading.limited();
        assertThat(reading.length).isLessThanOrEqualTo(Exponential.Reading.MAX_BUCKETS);
        assertThat(reading.scale).isEqualTo(1);
        assertThat(reading.count()).isEqualTo(12);
        for (double value : values) {
            int index = Exponential.index(value) >> 2;
            assertThat(reading.counts[index - reading.first]).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void a_histogram_that_starts_late_keeps_its_count() {
        MetricRegistry registry = new MetricRegistry();
        Histogram histogram =
                registry.histogram("h").help("H.").buckets(0, 1, 2).register();
        histogram.observe(0);
        histogram.observe(0.7);
        histogram.observe(99);
        SeriesReading reading = new SeriesReading();
        reading.wantsExponential = true;
        histogram.read(reading, row -> {});
        assertThat(reading.exponential.count()).isEqualTo(3);
        assertThat(reading.exponential.zeros).isEqualTo(1);
        histogram.observe(0.7);
        histogram.read(reading, row -> {});
        assertThat(reading.exponential.count()).isEqualTo(4);
        assertThat(reading.exponential.first)
                .as("the new value is where it belongs")
                .isEqualTo(Exponential.index(0.7));
    }
}
