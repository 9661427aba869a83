// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricRegistryTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void the_series_of_a_metric_can_be_read_in_order() {
        Counter counter = new MetricRegistry()
                .counter("logins_total")
                .help("Logins.")
                .labels("result", "reason")
                .register();
        counter.with("refused", "late").inc();
        counter.with("ok", "").inc(3);

        MetricSnapshot snapshot = counter.snapshot();
        assertThat(snapshot.name()).isEqualTo("logins_total");
        assertThat(snapshot.type()).isEqualTo(MetricType.COUNTER);
        assertThat(snapshot.help()).isEqualTo("Logins.");
        assertThat(snapshot.labelNames()).containsExactly("result", "reason");
        assertThat(snapshot.series())
                .extracting(MetricSnapshot.Series::labels)
                .containsExactly(Map.of("result", "ok", "reason", ""), Map.of("result", "refused", "reason", "late"));
        assertThat(snapshot.series()).extracting(MetricSnapshot.Series::value).containsExactly(3.0, 1.0);
    }

    @Test
    void a_snapshot_has_the_buckets_the_count_and_the_sum_of_a_timer() {
        Timer timer = registry.timer("t_seconds").help("h").buckets(0.1, 1).register();
        timer.record(50_000_000);
        timer.record(Duration.ofMillis(500));
        timer.run(() -> {});
        MetricSnapshot snapshot = registry.snapshot("t_seconds").orElseThrow();
        assertThat(snapshot.type()).isEqualTo(MetricType.HISTOGRAM);
        assertThat(snapshot.series()).singleElement().satisfies(series -> {
            assertThat(series.buckets())
                    .containsExactly(
                            new MetricSnapshot.Bucket(0.1, 2),
                            new MetricSnapshot.Bucket(1, 3),
                            new MetricSnapshot.Bucket(Double.POSITIVE_INFINITY, 3));
            assertThat(series.count()).isEqualTo(3);
            assertThat(series.value()).isBetween(0.55, 0.65);
        });
    }

    @Test
    void a_timer_records_tasks_that_return_or_throw() throws Exception {
        Timer timer = registry.timer("t_seconds").help("h").register();
        assertThat(timer.call(() -> "done")).isEqualTo("done");
        assertThatIllegalStateException()
                .isThrownBy(() -> timer.run(() -> {
                    throw new IllegalStateException();
                }));
        assertThat(timer.with().count()).isEqualTo(2);
    }

    @Test
    void a_snapshot_reads_callbacks() {
        registry.gauge("g").help("h").labels("x").read(samples -> samples.sample(2.5, "a"));
        registry.summary("s").help("h").read(totals -> totals.sample(3, 0.75));
        assertThat(registry.snapshot()).extracting(MetricSnapshot::name).containsExactly("g", "s");
        assertThat(registry.snapshot("g").orElseThrow().series())
                .containsExactly(new MetricSnapshot.Series(Map.of("x", "a"), 2.5, 0, List.of()));
        assertThat(registry.snapshot("s").orElseThrow().series())
                .containsExactly(new MetricSnapshot.Series(Map.of(), 0.75, 3, List.of()));
        assertThat(registry.snapshot("missing")).isEmpty();
    }

    @Test
    void labels_by_name_may_be_in_any_order() {
        Counter counter =
                registry.counter("c_total").help("h").labels("method", "status").register();
        counter.with(Map.of("status", "200", "method", "GET")).inc();
        counter.with(Map.of("method", "GET", "status", "200")).inc(1.5);
        counter.with(Map.of("method", "GET", "status", "200")).inc(2);
        assertThat(counter.with("GET", "200").value()).isEqualTo(4.5);
    }

    @Test
    void metrics_accept_any_number_of_labels_by_position_or_by_name() {
        String[] names = {"a", "b", "c", "d", "e"};
        for (int count = 0; count <= names.length; count++) {
            String[] labels = Arrays.copyOf(names, count);
            Map<String, String> object = new HashMap<>();
            for (String label : labels) {
                object.put(label, "value of " + label);
            }
            String[] values = List.of(labels).stream().map(object::get).toArray(String[]::new);
            Gauge gauge = registry.gauge("g" + count).help("h").labels(labels).register();
            Timer timer = registry.timer("h" + count)
                    .help("h")
                    .buckets(1)
                    .labels(labels)
                    .register();
            gauge.with(object).set(3);
            gauge.with(object).add(-1);
            gauge.with(values).add(1);
            timer.with(object).observe(0.5);
            timer.with(object).record(1);
            assertThat(gauge.with(values)).isSameAs(gauge.with(object));
            assertThat(gauge.with(values).values).containsExactly(values);
            Exposition read = Exposition.of(registry, Format.OPENMETRICS);
            assertThat(read.value("g" + count, object)).isEqualTo(3);
            assertThat(read.value("h" + count + "_count", object)).isEqualTo(2);
        }
    }

    @Test
    void metrics_without_labels_are_recorded_directly() {
        Counter counter = registry.counter("c_total").help("h").register();
        Gauge gauge = registry.gauge("g").help("h").register();
        Histogram histogram = registry.histogram("h").help("h").buckets(1).register();
        Timer timer = registry.timer("t").help("h").register();
        counter.inc();
        counter.inc(2);
        counter.inc(0.25);
        gauge.set(5);
        gauge.add(-1.5);
        histogram.observe(2);
        timer.record(1_000_000);
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.value("c_total")).isEqualTo(3.25);
        assertThat(read.value("g")).isEqualTo(3.5);
        assertThat(read.value("h_sum")).isEqualTo(2);
        assertThat(read.value("t_sum")).isEqualTo(0.001);
        assertThat(counter.refusedCount() + gauge.refusedCount() + histogram.refusedCount() + timer.refusedCount())
                .isZero();
    }

    @Test
    void recording_with_wrong_labels_is_counted_and_never_throws() {
        Counter counter = registry.counter("c_total").help("h").labels("a").register();
        Gauge gauge = registry.gauge("g").help("h").labels("a", "b").register();
        Timer timer = registry.timer("h")
                .help("h")
                .buckets(1)
                .labels("a", "b", "c", "d")
                .register();
        counter.inc();
        counter.inc(1L);
        counter.inc(0.5);
        counter.with(Map.of("b", "x")).inc();
        counter.with(Map.of("a", "x", "b", "y")).inc();
        counter.with(Map.of()).inc(1);
        gauge.set(1);
        gauge.add(1);
        gauge.with(Map.of("a", "x", "c", "y")).set(1);
        gauge.with(Map.of("a", "x")).add(1);
        timer.record(1);
        timer.record(Duration.ZERO);
        timer.with(Map.of("a", "1", "b", "2", "c", "3", "e", "4")).observe(1);
        timer.with(Map.of("a", "1")).record(1);
        assertThat(counter.refusedCount()).isEqualTo(6);
        assertThat(gauge.refusedCount()).isEqualTo(4);
        assertThat(timer.refusedCount()).isEqualTo(4);
        assertThat(Exposition.of(registry, Format.TEXT).families())
                .allSatisfy(family -> assertThat(family.samples()).isEmpty());
    }

    @Test
    void binding_with_wrong_labels_is_counted_reported_once_and_not_exposed() {
        List<MetricMisuse> reported = new ArrayList<>();
        MetricRegistry listening = new MetricRegistry(10, overflow -> {}, reported::add, () -> null);
        Counter counter =
                listening.counter("c_total").help("h").labels("a", "b").register();
        counter.with("x").inc();
        counter.with("x", "y", "z").inc();
        counter.with("1", "2", "3", "4").inc();
        counter.with((String[]) null).inc();
        counter.with(Map.of("a", "x", "c", "y")).inc();
        counter.with((Map<String, String>) null).inc();
        Gauge gauge = listening.gauge("g").help("h").labels("a").register();
        gauge.with("x", "y").set(1);
        assertThat(counter.refusedCount()).isEqualTo(6);
        assertThat(counter.snapshot().series()).isEmpty();
        assertThat(gauge.snapshot().series()).isEmpty();
        assertThat(reported)
                .containsExactly(
                        new MetricMisuse("c_total", "it has labels [a, b], but got 1 values"),
                        new MetricMisuse("g", "it has labels [a], but got 2 values"));
    }

    @Test
    void nulls_never_throw_and_affect_no_other_series() {
        Counter counter = registry.counter("c_total").help(null).labels("a").register();
        registry.gauge("g").help("h").register().set(1);
        registry.histogram("h")
                .help("h")
                .labels("x")
                .register()
                .with((String) null)
                .observe(1);
        registry.counter("samples").help("h").labels("x").read(samples -> samples.sample(1, (String[]) null));
        counter.with((Map<String, String>) null).inc();
        counter.with(new HashMap<>(Collections.singletonMap("a", null))).inc();
        counter.with(new TreeMap<>(Map.of("a", "ok"))).inc();
        new AutomaticMetrics(registry).http().route(null, null).record(200, 1, null);
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.value("c_total", Map.of("a", "ok"))).isEqualTo(1);
        assertThat(read.family("c_total").help()).isEqualTo("No help text.");
        assertThat(read.value("g")).isEqualTo(1);
        assertThat(read.value("h_count", Map.of("x", ""))).isEqualTo(1);
        assertThat(counter.refusedCount()).isEqualTo(2);
    }

    @Test
    void a_misused_metric_is_reported_once_and_a_throwing_listener_is_ignored() {
        List<MetricMisuse> reported = new ArrayList<>();
        MetricRegistry listening = new MetricRegistry(
                10,
                overflow -> {},
                misuse -> {
                    reported.add(misuse);
                    throw new IllegalStateException();
                },
                () -> null);
        Counter counter = listening.counter("c_total").help("h").register();
        for (int i = 0; i < 3; i++) {
            counter.inc(-1);
        }
        counter.inc();
        assertThat(counter.refusedCount()).isEqualTo(3);
        assertThat(reported).containsExactly(new MetricMisuse("c_total", "a counter cannot decrease"));
        assertThat(counter.snapshot().series().get(0).value()).isEqualTo(1);
    }

    @Test
    void a_null_label_value_is_treated_as_empty_and_counted() {
        Counter counter = registry.counter("c_total").help("h").labels("a").register();
        Counter many = registry.counter("many_total")
                .help("h")
                .labels("a", "b", "c", "d")
                .register();
        counter.with((String) null).inc();
        many.with("1", null, "3", "4").inc();
        assertThat(counter.with("").value()).isEqualTo(1);
        assertThat(many.with("1", "", "3", "4").value()).isEqualTo(1);
        assertThat(counter.refusedCount() + many.refusedCount()).isEqualTo(2);
    }

    @Test
    void a_name_is_registered_once() {
        registry.counter("c_total").help("h").register();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.counter("c_total").help("h").register())
                .withMessage("metric c_total is already registered");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.counter("c").help("h").read(() -> 1))
                .withMessage("metric c_total is already registered");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.histogram("c").help("h").buckets(1).register())
                .withMessage("metric c clashes with c_total: both would use the name c");
    }

    @Test
    void a_counter_named_only_total_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.counter("_total").help("h").register());
    }

    static List<double[]> badBounds() {
        return List.of(
                new double[0],
                new double[] {1, 1},
                new double[] {2, 1},
                new double[] {-1, 1},
                new double[] {0.0, -0.0},
                new double[] {1, Double.NaN},
                new double[] {Double.NaN},
                new double[] {1, Double.POSITIVE_INFINITY});
    }

    @ParameterizedTest
    @MethodSource("badBounds")
    void bucket_bounds_that_are_not_finite_and_ascending_are_refused(double[] bounds) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> registry.histogram("h").help("h").buckets(bounds).register())
                .withMessageStartingWith("histogram h");
    }

    @Test
    void registries_are_independent() {
        registry.counter("c_total").help("h").register().inc();
        MetricRegistry other = new MetricRegistry();
        other.counter("c_total").help("h").register().inc(7);
        assertThat(Exposition.of(registry, Format.TEXT).value("c_total")).isEqualTo(1);
        assertThat(Exposition.of(other, Format.TEXT).value("c_total")).isEqualTo(7);
    }

    @Test
    void a_registry_lists_its_metrics_and_counts_its_scrapes() {
        Counter counter = registry.counter("b").help("Help.").labels("x").register();
        Gauge gauge = registry.gauge("a").help("h").register();
        assertThat(registry.metrics()).containsExactly(gauge, counter);
        assertThat(registry.snapshot()).extracting(MetricSnapshot::name).containsExactly("a", "b");
        assertThat(counter.snapshot().help()).isEqualTo("Help.");
        assertThat(counter.snapshot().labelNames()).containsExactly("x");
        Exposition.of(registry, Format.TEXT);
        assertThat(registry.scrapes()).isEqualTo(1);
        assertThat(registry.scrapeNanos()).isPositive();
    }

    @Test
    void a_limit_that_leaves_no_series_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MetricRegistry(0, overflow -> {}, misuse -> {}, () -> null))
                .withMessage("a series limit of 0 leaves no series");
    }
}
