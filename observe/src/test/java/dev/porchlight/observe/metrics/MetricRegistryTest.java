// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricRegistryTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void the_series_of_a_metric_can_be_read_in_order() {
        Counter counter = new MetricRegistry().counter("logins_total", "Logins.", "result", "reason");
        counter.with("refused", "late").inc();
        counter.with("ok", "").inc(3);

        assertThat(counter.series())
                .extracting(CounterSeries::labelValues)
                .containsExactly(List.of("ok", ""), List.of("refused", "late"));
        assertThat(counter.series()).extracting(CounterSeries::value).containsExactly(3.0, 1.0);
    }

    @Test
    void a_label_object_names_the_labels_in_any_order() {
        Counter counter = registry.counter("c_total", "h", "method", "status");
        counter.inc(Map.of("status", "200", "method", "GET"));
        counter.inc(1.5, Map.of("method", "GET", "status", "200"));
        counter.with(Map.of("method", "GET", "status", "200")).inc(2);
        assertThat(counter.with("GET", "200").value()).isEqualTo(4.5);
    }

    @Test
    void metrics_take_any_number_of_labels_by_position_or_by_name() {
        String[] names = {"a", "b", "c", "d", "e"};
        for (int count = 0; count <= names.length; count++) {
            String[] labels = Arrays.copyOf(names, count);
            Map<String, String> object = new HashMap<>();
            for (String label : labels) {
                object.put(label, "value of " + label);
            }
            String[] values = List.of(labels).stream().map(object::get).toArray(String[]::new);
            Gauge gauge = registry.gauge("g" + count, "h", labels);
            Histogram histogram = registry.histogram("h" + count, "h", new double[] {1}, labels);
            gauge.set(3, object);
            gauge.add(-1, object);
            gauge.with(values).inc();
            histogram.observe(0.5, object);
            histogram.observeNanos(1, object);
            assertThat(gauge.with(values)).isSameAs(gauge.with(object));
            assertThat(gauge.with(values).labelValues()).containsExactly(values);
            Exposition read = Exposition.of(registry, Format.OPENMETRICS);
            assertThat(read.value("g" + count, object)).isEqualTo(3);
            assertThat(read.value("h" + count + "_count", object)).isEqualTo(2);
        }
    }

    @Test
    void what_has_no_labels_is_recorded_directly() {
        Counter counter = registry.counter("c_total", "h");
        Gauge gauge = registry.gauge("g", "h");
        Histogram histogram = registry.histogram("h", "h", new double[] {1});
        counter.inc();
        counter.inc(2);
        counter.inc(0.25);
        gauge.set(5);
        gauge.add(-1.5);
        histogram.observe(2);
        histogram.observeNanos(1_000_000);
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.value("c_total")).isEqualTo(3.25);
        assertThat(read.value("g")).isEqualTo(3.5);
        assertThat(read.value("h_sum")).isEqualTo(2.001);
        assertThat(counter.misused() + gauge.misused() + histogram.misused()).isZero();
    }

    @Test
    void recording_with_labels_that_do_not_fit_is_counted_and_never_thrown() {
        Counter counter = registry.counter("c_total", "h", "a");
        Gauge gauge = registry.gauge("g", "h", "a", "b");
        Histogram histogram = registry.histogram("h", "h", new double[] {1}, "a", "b", "c", "d");
        counter.inc();
        counter.inc(1L);
        counter.inc(0.5);
        counter.inc(Map.of("b", "x"));
        counter.inc(Map.of("a", "x", "b", "y"));
        counter.inc(1, Map.of());
        gauge.set(1);
        gauge.add(1);
        gauge.set(1, Map.of("a", "x", "c", "y"));
        gauge.add(1, Map.of("a", "x"));
        histogram.observe(1);
        histogram.observeNanos(1);
        histogram.observe(1, Map.of("a", "1", "b", "2", "c", "3", "e", "4"));
        histogram.observeNanos(1, Map.of("a", "1"));
        assertThat(counter.misused()).isEqualTo(6);
        assertThat(gauge.misused()).isEqualTo(4);
        assertThat(histogram.misused()).isEqualTo(4);
        assertThat(Exposition.of(registry, Format.TEXT).families())
                .allSatisfy(family -> assertThat(family.samples()).isEmpty());
    }

    @Test
    void binding_with_labels_that_do_not_fit_is_counted_and_reported_once_and_shown_nowhere() {
        List<MetricMisuse> reported = new ArrayList<>();
        MetricRegistry listening = new MetricRegistry(10, overflow -> {}, reported::add, () -> null);
        Counter counter = listening.counter("c_total", "h", "a", "b");
        counter.with("x").inc();
        counter.with("x", "y", "z").inc();
        counter.with("1", "2", "3", "4").inc();
        counter.with((String[]) null).inc();
        counter.with(Map.of("a", "x", "c", "y")).inc();
        counter.with((Map<String, String>) null).inc();
        Gauge gauge = listening.gauge("g", "h", "a");
        gauge.with("x", "y").set(1);
        assertThat(counter.misused()).isEqualTo(6);
        assertThat(counter.series()).isEmpty();
        assertThat(gauge.series()).isEmpty();
        assertThat(reported)
                .containsExactly(
                        new MetricMisuse("c_total", "it has labels [a, b], but got 1 values"),
                        new MetricMisuse("g", "it has labels [a], but got 2 values"));
    }

    @Test
    void nulls_never_throw_and_cost_no_other_series() {
        Counter counter = registry.counter("c_total", null, "a");
        registry.counter(null, "h").inc();
        registry.gauge("g", "h", (String[]) null).set(1);
        registry.histogram("h", null, null, (String) null).with((String) null).observe(1);
        registry.callbackGauge("callback", "h", (DoubleSupplier) null);
        registry.callbackCounter("samples", "h", samples -> samples.sample(1, (String[]) null), "x");
        counter.inc((Map<String, String>) null);
        counter.inc(new HashMap<>(Collections.singletonMap("a", null)));
        counter.inc(new TreeMap<>(Map.of("a", "ok")));
        new AutomaticMetrics(registry).http().route(null, null).record(200, 1, null);
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.value("c_total", Map.of("a", "ok"))).isEqualTo(1);
        assertThat(read.family("c_total").help()).isEqualTo("No help text.");
        assertThat(read.value("null")).isEqualTo(1);
        assertThat(read.value("g")).isEqualTo(1);
        assertThat(read.value("h_count", Map.of("null", ""))).isEqualTo(1);
        assertThat(read.value("callback")).isNaN();
        assertThat(counter.misused()).isEqualTo(2);
    }

    @Test
    void a_misused_metric_is_reported_once_and_a_listener_that_throws_costs_nothing() {
        List<MetricMisuse> reported = new ArrayList<>();
        MetricRegistry listening = new MetricRegistry(
                10,
                overflow -> {},
                misuse -> {
                    reported.add(misuse);
                    throw new IllegalStateException();
                },
                () -> null);
        Counter counter = listening.counter("c_total", "h");
        for (int i = 0; i < 3; i++) {
            counter.inc(-1);
        }
        counter.inc();
        assertThat(reported).containsExactly(new MetricMisuse("c_total", "a counter cannot go down"));
        assertThat(counter.series().get(0).value()).isEqualTo(1);
    }

    @Test
    void a_null_value_reads_as_an_empty_one_and_is_counted() {
        Counter counter = registry.counter("c_total", "h", "a");
        Counter many = registry.counter("many_total", "h", "a", "b", "c", "d");
        counter.with((String) null).inc();
        many.with("1", null, "3", "4").inc();
        assertThat(counter.with("").value()).isEqualTo(1);
        assertThat(many.with("1", "", "3", "4").value()).isEqualTo(1);
        assertThat(counter.misused() + many.misused()).isEqualTo(2);
    }

    @Test
    void a_name_is_registered_once() {
        registry.counter("c_total", "h");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.counter("c_total", "h"))
                .withMessage("metric c_total is already registered");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.callbackCounter("c", "h", () -> 1))
                .withMessage("metric c_total is already registered");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.histogram("c", "h", new double[] {1}))
                .withMessage("metric c clashes with c_total: both would use the name c");
    }

    @Test
    void a_counter_called_nothing_but_total_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> registry.counter("_total", "h"));
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
    void bucket_bounds_that_do_not_ascend_through_finite_amounts_are_refused(double[] bounds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.histogram("h", "h", bounds))
                .withMessageStartingWith("histogram h");
    }

    @Test
    void registries_know_nothing_of_each_other() {
        registry.counter("c_total", "h").inc();
        MetricRegistry other = new MetricRegistry();
        other.counter("c_total", "h").inc(7);
        assertThat(Exposition.of(registry, Format.TEXT).value("c_total")).isEqualTo(1);
        assertThat(Exposition.of(other, Format.TEXT).value("c_total")).isEqualTo(7);
    }

    @Test
    void a_registry_lists_its_metrics_and_counts_its_scrapes() {
        Counter counter = registry.counter("b", "Help.", "x");
        Gauge gauge = registry.gauge("a", "h");
        assertThat(registry.metrics()).isEqualTo(List.of(gauge, counter));
        assertThat(counter.name()).isEqualTo("b");
        assertThat(counter.help()).isEqualTo("Help.");
        assertThat(counter.labelNames()).containsExactly("x");
        Exposition.of(registry, Format.TEXT);
        assertThat(registry.scrapes()).isEqualTo(1);
        assertThat(registry.scrapeNanos()).isPositive();
    }

    @Test
    void a_limit_that_leaves_no_series_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MetricRegistry(0, overflow -> {}, () -> null))
                .withMessage("a series limit of 0 leaves no series");
    }
}
