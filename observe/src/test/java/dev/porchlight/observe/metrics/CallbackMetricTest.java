// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CallbackMetricTest {
    private final List<SeriesOverflow> told = new ArrayList<>();
    private final MetricRegistry registry = new MetricRegistry(5, told::add, () -> SpanContext.NONE);
    private final AtomicReference<Consumer<Samples>> callback = new AtomicReference<>(samples -> {});

    @Test
    void labelled_values_come_from_the_callback_and_go_with_it() {
        registry.callbackGauge("g", "h", samples -> callback.get().accept(samples), "queue");
        callback.set(samples -> {
            samples.sample(3, "mail");
            samples.sample(0.5, "audit");
        });
        assertThat(read().value("g", Map.of("queue", "mail"))).isEqualTo(3);
        callback.set(samples -> samples.sample(9, "audit"));
        assertThat(read().samples("g"))
                .extracting(sample -> sample.labels().get("queue"))
                .containsExactly("audit");
        callback.set(samples -> samples.sample(4, "mail"));
        assertThat(read().value("g", Map.of("queue", "mail"))).isEqualTo(4);
    }

    @Test
    void series_that_come_and_go_do_not_use_up_the_limit() {
        registry.callbackGauge("g", "h", samples -> callback.get().accept(samples), "x");
        for (int i = 0; i < 100; i++) {
            String value = "x" + i;
            callback.set(samples -> samples.sample(1, value));
            assertThat(read().value("g", Map.of("x", value))).isEqualTo(1);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void past_the_limit_the_rest_is_summed_in_the_overflow_series() {
        registry.callbackCounter("c_total", "h", samples -> callback.get().accept(samples), "x");
        for (int round = 0; round < 3; round++) {
            callback.set(samples -> {
                for (int i = 0; i < 20; i++) {
                    samples.sample(2, "x" + i);
                }
            });
            assertThat(read().value("c_total", Map.of("x", "__overflow__"))).isEqualTo(30);
            assertThat(read().samples("c_total")).hasSize(6);
        }
        callback.set(samples -> samples.sample(2, "x19"));
        read();
        assertThat(read().value("c_total", Map.of("x", "x19"))).isEqualTo(2);
        assertThat(told).hasSize(1);
    }

    @Test
    void of_two_values_for_one_label_set_the_later_counts_and_the_doubling_is_noted() {
        registry.callbackGauge("g", "h", samples -> callback.get().accept(samples), "x");
        callback.set(samples -> {
            samples.sample(1, "a");
            samples.sample(2, "a");
        });
        assertThat(read().value("g", Map.of("x", "a"))).isEqualTo(2);
        assertThat(misused("g")).isEqualTo(1);
    }

    @Test
    void a_callback_that_throws_costs_its_own_samples_only() {
        registry.gauge("a", "h").set(1);
        registry.callbackGauge("labelled", "h", samples -> callback.get().accept(samples), "x");
        registry.callbackGauge("plain", "h", samples -> callback.get().accept(samples));
        registry.callbackCounter("counter_total", "h", samples -> callback.get().accept(samples));
        registry.gauge("z", "h").set(2);
        callback.set(samples -> {
            samples.sample(7, "x");
            samples.sample(7);
        });
        read();
        callback.set(samples -> {
            samples.sample(8, "x");
            samples.sample(8);
            throw new IllegalStateException("pool is closed");
        });
        Exposition read = read();
        assertThat(read.value("a")).isEqualTo(1);
        assertThat(read.value("z")).isEqualTo(2);
        assertThat(read.family("labelled").samples()).isEmpty();
        assertThat(read.value("plain")).isNaN();
        assertThat(read.value("counter_total")).isEqualTo(8);
        assertThat(misused("labelled")).isPositive();
        callback.set(samples -> samples.sample(9));
        assertThat(read().value("plain")).isEqualTo(9);
    }

    @Test
    void values_that_do_not_fit_are_counted_and_left_out() {
        registry.callbackCounter("c_total", "h", samples -> callback.get().accept(samples), "x");
        callback.set(samples -> {
            samples.sample(1);
            samples.sample(1, "a", "b");
            samples.sample(-1, "a");
            samples.sample(Double.NaN, "b");
            samples.sample(Double.POSITIVE_INFINITY, "c");
            samples.sample(1, "d");
        });
        assertThat(read().samples("c_total"))
                .extracting(sample -> sample.labels().get("x"))
                .containsExactly("d");
        assertThat(misused("c_total")).isEqualTo(5);
    }

    @Test
    void a_sink_kept_beyond_its_scrape_is_dead() {
        AtomicReference<Samples> kept = new AtomicReference<>();
        registry.callbackGauge("g", "h", samples -> {
            kept.set(samples);
            samples.sample(1);
        });
        read();
        kept.get().sample(2);
        assertThat(misused("g")).isEqualTo(1);
        assertThat(read().value("g")).isEqualTo(1);
    }

    @Test
    void a_summary_gives_count_and_sum() {
        registry.callbackSummary("gc_seconds", "h", totals -> totals.sample(3, 0.75, "young"), "gc");
        assertThat(Exposition.text(registry, Format.TEXT)).isEqualTo("""
                        # HELP gc_seconds h
                        # TYPE gc_seconds summary
                        gc_seconds_count{gc="young"} 3
                        gc_seconds_sum{gc="young"} 0.75
                        """);
        Exposition.of(registry, Format.OPENMETRICS);
    }

    @Test
    void a_callback_that_scrapes_does_not_run_in_circles() {
        registry.callbackGauge(
                "g", "h", samples -> samples.sample(read().families().size(), "x"), "x");
        assertThat(read().value("g", Map.of("x", "x"))).isEqualTo(1);
    }

    @Test
    void a_callback_that_hangs_does_not_hang_the_next_scrape() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        registry.callbackGauge(
                "g",
                "h",
                samples -> {
                    inside.countDown();
                    awaitQuietly(release);
                    samples.sample(1, "a");
                },
                "x");
        registry.gauge("z", "h").set(2);
        CompletableFuture<Exposition> stuck = CompletableFuture.supplyAsync(this::read);
        inside.await();
        Exposition second = read();
        assertThat(second.family("g").samples()).isEmpty();
        assertThat(second.value("z")).isEqualTo(2);
        release.countDown();
        assertThat(stuck.get(30, TimeUnit.SECONDS).value("g", Map.of("x", "a"))).isEqualTo(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Exposition read() {
        return Exposition.of(registry, Format.OPENMETRICS);
    }

    private long misused(String name) {
        return registry.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .findFirst()
                .orElseThrow()
                .misused();
    }
}
