// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void a_value_equal_to_a_bound_belongs_to_its_bucket() {
        var registry = new MetricRegistry();
        Timer timer = registry.timer("h").help("h").register();
        for (double bound : Histogram.latencyBuckets()) {
            timer.with().observe(bound);
            timer.record(Math.round(bound * 1e9));
            timer.record(Math.round(bound * 1e9) + 1);
        }
        assertThat(Exposition.of(registry, Format.TEXT).samples("h_bucket"))
                .extracting(Exposition.Sample::text)
                .containsExactly("2", "5", "8", "11", "14", "17", "20", "23", "26", "29", "32", "33");
    }

    @Test
    void values_land_in_the_right_bucket_of_many() {
        double[] bounds =
                IntStream.rangeClosed(1, 100).mapToDouble(i -> i / 10.0).toArray();
        Buckets many = new Buckets("h", bounds);
        for (int i = 0; i < 100; i++) {
            assertThat(many.indexOf(bounds[i])).isEqualTo(i);
            assertThat(many.indexOf(Math.nextUp(bounds[i]))).isEqualTo(i + 1);
        }
    }

    @Test
    void the_sum_of_durations_is_exact_to_the_nanosecond() {
        var registry = new MetricRegistry();
        Timer timer = registry.timer("h_seconds").help("h").buckets(1).register();
        timer.record(100_000_000);
        timer.record(200_000_000);
        assertThat(sum(registry)).isEqualTo("0.3");
        timer.record(1_000_000_000_000_000L);
        timer.record(1);
        assertThat(sum(registry)).isEqualTo("1000000.300000001");
        timer.record(699_999_999);
        assertThat(sum(registry)).isEqualTo("1000001");
    }

    @Test
    void durations_and_other_values_add_up() {
        var registry = new MetricRegistry();
        Timer timer = registry.timer("h_seconds").help("h").buckets(1).register();
        timer.with().observe(0.25);
        timer.record(500_000_000);
        assertThat(sum(registry)).isEqualTo("0.75");
    }

    @Test
    void the_sum_does_not_overflow_after_centuries() {
        TimerSeries series = new MetricRegistry()
                .timer("h_seconds")
                .help("h")
                .buckets(1)
                .labels("x")
                .register()
                .with("a");
        long years = (1L << 57) - 1;
        for (int i = 0; i < 1_000; i++) {
            series.record(years);
        }
        series.record(Long.MAX_VALUE);
        assertThat(series.count()).isEqualTo(1_001);
        assertThat(series.sum())
                .isCloseTo(1_000 * (years / 1e9) + Long.MAX_VALUE / 1e9, Percentage.withPercentage(1e-9));
    }

    @Property(tries = 100)
    void count_and_sum_match_the_observations(
            @ForAll @Size(max = 50) List<@DoubleRange(min = 0, max = 100) @Scale(6) Double> values) {
        HistogramSeries series = new MetricRegistry()
                .histogram("h")
                .help("h")
                .labels("x")
                .register()
                .with("a");
        double sum = 0;
        for (double value : values) {
            series.observe(value);
            sum += value;
        }
        assertThat(series.count()).isEqualTo(values.size());
        assertThat(series.sum()).isCloseTo(sum, Offset.offset(1e-9));
    }

    private static String sum(MetricRegistry registry) {
        return Exposition.of(registry, Format.OPENMETRICS)
                .samples("h_seconds_sum")
                .get(0)
                .text();
    }
}
