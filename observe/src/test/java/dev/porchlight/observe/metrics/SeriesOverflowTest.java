// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesOverflowTest {
    private static final Map<String, String> OVERFLOW = Map.of("user", "__overflow__", "kind", "__overflow__");

    private final List<SeriesOverflow> overflows = new ArrayList<>();
    private final MetricRegistry registry =
            new MetricRegistry(10, overflows::add, misuse -> {}, () -> SpanContext.NONE);

    @Test
    void label_sets_beyond_the_limit_share_one_series_and_nothing_is_lost() {
        Counter counter =
                registry.counter("c_total").help("h").labels("user", "kind").register();
        for (int i = 0; i < 1000; i++) {
            counter.with("user" + i, "k" + i % 2).inc();
        }
        Exposition read = Exposition.of(registry, Format.OPENMETRICS);
        assertThat(read.samples("c_total")).hasSize(11);
        assertThat(read.samples("c_total").stream()
                        .mapToDouble(Exposition.Sample::value)
                        .sum())
                .isEqualTo(1000);
        assertThat(read.value("c_total", OVERFLOW)).isEqualTo(990);
        assertThat(counter.overflowCount()).isEqualTo(990);
    }

    @Test
    void existing_series_are_kept_after_an_overflow() {
        Counter counter =
                registry.counter("c_total").help("h").labels("user", "kind").register();
        CounterSeries early = counter.with("user0", "k");
        for (int i = 0; i < 100; i++) {
            counter.with("user" + i, "k").inc();
        }
        assertThat(counter.with("user0", "k")).isSameAs(early);
        assertThat(early.value()).isEqualTo(1);
        assertThat(counter.overflowCount()).isEqualTo(90);
    }

    @Test
    void the_listener_is_notified_once_per_metric_with_the_widest_label() {
        Counter counter =
                registry.counter("c_total").help("h").labels("kind", "user").register();
        Gauge gauge = registry.gauge("g").help("h").labels("x").register();
        for (int i = 0; i < 100; i++) {
            counter.with("k" + i % 2, "user" + i).inc();
            gauge.with("x" + i).add(1);
        }
        assertThat(overflows)
                .containsExactlyInAnyOrder(
                        new SeriesOverflow("c_total", 10, "user", 10), new SeriesOverflow("g", 10, "x", 10));
    }

    @Test
    void a_throwing_listener_does_not_fail_the_recording_thread() {
        MetricRegistry angry = new MetricRegistry(
                1,
                overflow -> {
                    throw new IllegalStateException("not now");
                },
                misuse -> {},
                () -> SpanContext.NONE);
        Counter counter = angry.counter("c_total").help("h").labels("x").register();
        counter.with("1").inc();
        counter.with("2").inc();
        counter.with("3").inc();
        assertThat(counter.with("4").value()).isEqualTo(2);
        assertThat(counter.refusedCount()).isEqualTo(1);
    }

    @Test
    void the_overflow_label_value_binds_the_overflow_series() {
        Counter counter =
                registry.counter("c_total").help("h").labels("user", "kind").register();
        counter.with("__overflow__", "__overflow__").inc();
        for (int i = 0; i < 20; i++) {
            counter.with("user" + i, "k").inc();
        }
        assertThat(Exposition.of(registry, Format.TEXT).value("c_total", OVERFLOW))
                .isEqualTo(12);
    }

    @Test
    void the_default_limit_is_two_thousand() {
        Counter counter =
                new MetricRegistry().counter("c_total").help("h").labels("x").register();
        for (int i = 0; i < 2_001; i++) {
            counter.with("x" + i).inc();
        }
        assertThat(counter.overflowCount()).isEqualTo(1);
        for (int i = 0; i < 2_000; i++) {
            assertThat(counter.with("x" + i).value()).isEqualTo(1);
        }
    }

    @Test
    void long_label_values_are_truncated_between_characters_and_counted() {
        Counter counter = registry.counter("c_total").help("h").labels("x").register();
        String value = "x".repeat(1023) + "😀".repeat(2_500_000);
        counter.with(value).inc();
        counter.with(Map.of("x", value)).inc();
        assertThat(Exposition.of(registry, Format.TEXT).value("c_total", Map.of("x", "x".repeat(1023) + "…[+5000000]")))
                .isEqualTo(2);
        assertThat(counter.truncatedCount()).isEqualTo(2);
        counter.with("y".repeat(1024)).inc();
        assertThat(counter.truncatedCount()).isEqualTo(2);
    }
}
