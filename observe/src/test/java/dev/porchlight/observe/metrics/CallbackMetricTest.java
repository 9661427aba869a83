// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.metrics.MetricBuilder.Samples;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.support.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CallbackMetricTest {
    private final List<SeriesOverflow> overflows = new ArrayList<>();
    private final MetricRegistry registry = new MetricRegistry(5, overflows::add, misuse -> {}, () -> SpanContext.NONE);
    private final AtomicReference<Consumer<Samples>> callback = new AtomicReference<>(samples -> {});

    @Test
    void labeled_series_appear_and_disappear_with_the_callbacks_samples() {
        registry.gauge("g")
                .help("h")
                .labels("queue")
                .read(samples -> callback.get().accept(samples));
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
    void series_that_disappear_do_not_count_against_the_limit() {
        registry.gauge("g").help("h").labels("x").read(samples -> callback.get().accept(samples));
        for (int i = 0; i < 100; i++) {
            String value = "x" + i;
            callback.set(samples -> samples.sample(1, value));
            assertThat(read().value("g", Map.of("x", value))).isEqualTo(1);
        }
        assertThat(overflows).isEmpty();
    }

    @Test
    void samples_beyond_the_limit_are_summed_in_the_overflow_series() {
        registry.counter("c_total")
                .help("h")
                .labels("x")
                .read(samples -> callback.get().accept(samples));
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
        assertThat(overflows).hasSize(1);
    }

    @Test
    void the_last_value_for_a_label_set_wins_and_the_duplicate_is_counted() {
        registry.gauge("g").help("h").labels("x").read(samples -> callback.get().accept(samples));
        callback.set(samples -> {
            samples.sample(1, "a");
            samples.sample(2, "a");
        });
        assertThat(read().value("g", Map.of("x", "a"))).isEqualTo(2);
        assertThat(refused("g")).isEqualTo(1);
    }

    @Test
    void a_callback_that_throws_loses_only_its_own_samples() {
        registry.gauge("a").help("h").register().set(1);
        registry.gauge("labelled")
                .help("h")
                .labels("x")
                .read(samples -> callback.get().accept(samples));
        registry.gauge("plain").help("h").read(samples -> callback.get().accept(samples));
        registry.counter("counter_total")
                .help("h")
                .read(samples -> callback.get().accept(samples));
        registry.gauge("z").help("h").register().set(2);
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
        assertThat(refused("labelled")).isPositive();
        callback.set(samples -> samples.sample(9));
        assertThat(read().value("plain")).isEqualTo(9);
    }

    @Test
    void invalid_samples_are_counted_and_omitted() {
        registry.counter("c_total")
                .help("h")
                .labels("x")
                .read(samples -> callback.get().accept(samples));
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
        assertThat(refused("c_total")).isEqualTo(5);
    }

    @Test
    void a_samples_object_is_ignored_after_its_scrape() {
        AtomicReference<Samples> kept = new AtomicReference<>();
        registry.gauge("g").help("h").read(samples -> {
            kept.set(samples);
            samples.sample(1);
        });
        read();
        kept.get().sample(2);
        assertThat(refused("g")).isEqualTo(1);
        assertThat(read().value("g")).isEqualTo(1);
    }

    @Test
    void a_summary_has_count_and_sum() {
        registry.summary("gc_seconds").help("h").labels("gc").read(totals -> totals.sample(3, 0.75, "young"));
        assertThat(Exposition.text(registry, Format.TEXT)).isEqualTo("""
                        # HELP gc_seconds h
                        # TYPE gc_seconds summary
                        gc_seconds_count{gc="young"} 3
                        gc_seconds_sum{gc="young"} 0.75
                        """);
        Exposition.of(registry, Format.OPENMETRICS);
    }

    @Test
    void a_callback_that_scrapes_does_not_recurse() {
        registry.gauge("g")
                .help("h")
                .labels("x")
                .read(samples -> samples.sample(read().families().size(), "x"));
        assertThat(read().value("g", Map.of("x", "x"))).isEqualTo(1);
    }

    @Test
    void a_callback_that_hangs_does_not_hang_the_next_scrape() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        registry.gauge("g").help("h").labels("x").read(samples -> {
            inside.countDown();
            awaitQuietly(release);
            samples.sample(1, "a");
        });
        registry.gauge("z").help("h").register().set(2);
        CompletableFuture<Exposition> stuck = CompletableFuture.supplyAsync(this::read);
        inside.await();
        Exposition second = read();
        assertThat(second.family("g").samples()).isEmpty();
        assertThat(second.value("z")).isEqualTo(2);
        release.countDown();
        assertThat(stuck.get(Patience.SECONDS, TimeUnit.SECONDS).value("g", Map.of("x", "a")))
                .isEqualTo(1);
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

    private long refused(String name) {
        return Stream.of(registry.metrics())
                .filter(metric -> metric.family.name.equals(name))
                .findFirst()
                .orElseThrow()
                .refusedCount();
    }
}
