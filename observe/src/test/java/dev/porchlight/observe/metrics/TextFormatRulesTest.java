// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the Prometheus text format 0.0.4, one test each. */
class TextFormatRulesTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void the_content_type_is_exact() {
        assertThat(Format.TEXT.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    }

    @Test
    void an_exposition_is_utf_8_with_line_feeds_and_ends_with_one() {
        registry.counter("a_total")
                .help("Zähler.\r\nZweite Zeile.\rDritte.")
                .labels("x")
                .register()
                .with("grün 🟢")
                .inc();
        String text = text();
        assertThat(text).endsWith("a_total{x=\"grün 🟢\"} 1\n").doesNotContain("\r");
        assertThat(parse().family("a_total").help()).isEqualTo("Zähler.\nZweite Zeile.\nDritte.");
    }

    @Test
    void label_values_escape_backslash_quote_and_line_feed_and_nothing_else() {
        Gauge gauge = registry.gauge("a").help("h").labels("x").register();
        gauge.with("b\\s q\" n\n r\r t\t 0\u0000 é").set(1);
        gauge.with("lone \ud83d surrogate").set(2);
        assertThat(text())
                .contains("a{x=\"b\\\\s q\\\" n\\n r\r t\t 0\u0000 é\"} 1\n")
                .contains("a{x=\"lone \ufffd surrogate\"} 2\n");
    }

    @Test
    void values_that_differ_only_in_unpaired_surrogates_share_a_series() {
        Counter counter = registry.counter("a_total").help("h").labels("x").register();
        counter.with("\ud800").inc();
        counter.with("\udfff").inc();
        counter.with("\ufffd").inc();
        assertThat(parse().value("a_total", Map.of("x", "\ufffd"))).isEqualTo(3);
    }

    @Test
    void help_escapes_backslash_and_line_feed_but_not_quotes() {
        registry.gauge("a").help("back\\slash \"quoted\"\nnext").register();
        assertThat(text()).contains("# HELP a back\\\\slash \"quoted\"\\nnext\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a b", "ä", "a.b", "a\n"})
    void metric_names_with_invalid_characters_are_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.gauge(name).help("h").register())
                .withMessageContaining("metric name '" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a:b", "ä", "__a", "le", "a\n"})
    void invalid_or_reserved_label_names_are_refused(String label) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.histogram("h")
                        .help("h")
                        .buckets(1)
                        .labels(label)
                        .register())
                .withMessageContaining("label '" + label + "' of metric h");
    }

    @Test
    void le_is_refused_on_histograms_only_and_quantile_on_summaries_only() {
        registry.counter("c_total")
                .help("h")
                .labels("le", "quantile")
                .register()
                .with("1", "2")
                .inc();
        registry.histogram("h")
                .help("h")
                .buckets(1)
                .labels("quantile")
                .register()
                .with("x")
                .observe(1);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> registry.summary("s").help("h").labels("quantile").read(totals -> {}))
                .withMessageContaining("label 'quantile'");
        parse();
    }

    @Test
    void names_with_colons_and_underscores_are_accepted_and_duplicate_labels_refused() {
        registry.gauge("_a:b_9").help("h").labels("_a9").register().with("x").set(1);
        assertThat(parse().value("_a:b_9", Map.of("_a9", "x"))).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.gauge("b").help("h").labels("x", "x").register())
                .withMessage("label 'x' of metric b is given twice");
    }

    @Test
    void the_samples_of_a_family_are_contiguous_after_one_help_and_one_type() {
        Counter b = registry.counter("b_total").help("h").labels("x").register();
        Gauge a = registry.gauge("a").help("h").labels("x").register();
        for (String value : List.of("1", "2", "1", "2")) {
            b.with(value).inc();
            a.with(value).set(1);
        }
        assertThat(text()).isEqualTo("""
                        # HELP a h
                        # TYPE a gauge
                        a{x="1"} 1
                        a{x="2"} 1
                        # HELP b_total h
                        # TYPE b_total counter
                        b_total{x="1"} 2
                        b_total{x="2"} 2
                        """);
    }

    @Test
    void a_counter_has_the_name_it_was_registered_with_in_type_help_and_sample() {
        registry.counter("logins_total").help("h").register().inc();
        registry.counter("logouts").help("h").register().inc(2);
        assertThat(text())
                .contains("# HELP logins_total h\n# TYPE logins_total counter\nlogins_total 1\n")
                .contains("# HELP logouts h\n# TYPE logouts counter\nlogouts 2\n")
                .doesNotContain("logouts_total");
    }

    @Test
    void histogram_buckets_are_ascending_and_cumulative_and_end_with_the_count() {
        Histogram histogram = registry.histogram("h_seconds")
                .help("h")
                .buckets(0.1, 1, 10)
                .labels("x")
                .register();
        for (double value : new double[] {0.05, 0.1, 0.5, 5, 5, 50}) {
            histogram.with("a").observe(value);
        }
        assertThat(text()).isEqualTo("""
                        # HELP h_seconds h
                        # TYPE h_seconds histogram
                        h_seconds_bucket{x="a",le="0.1"} 2
                        h_seconds_bucket{x="a",le="1.0"} 3
                        h_seconds_bucket{x="a",le="10.0"} 5
                        h_seconds_bucket{x="a",le="+Inf"} 6
                        h_seconds_sum{x="a"} 60.65
                        h_seconds_count{x="a"} 6
                        """);
    }

    @Test
    void values_are_formatted_for_go_and_without_openmetrics_syntax() {
        Gauge gauge = registry.gauge("a_seconds").help("h").labels("x").register();
        gauge.with("nan").set(Double.NaN);
        gauge.with("up").set(Double.POSITIVE_INFINITY);
        gauge.with("down").set(Double.NEGATIVE_INFINITY);
        gauge.with("small").set(1e-7);
        gauge.with("whole").set(12_345_678);
        assertThat(text())
                .contains("{x=\"nan\"} NaN\n")
                .contains("{x=\"up\"} +Inf\n")
                .contains("{x=\"down\"} -Inf\n")
                .contains("{x=\"small\"} 1e-07\n")
                .contains("{x=\"whole\"} 12345678\n")
                .doesNotContain("# UNIT", "# EOF", " # {");
        parse();
    }

    @Test
    void only_metrics_without_labels_exist_from_the_start() {
        registry.counter("c_total").help("h").register();
        registry.gauge("g").help("h").register();
        registry.histogram("h").help("h").buckets(1).register();
        registry.gauge("k").help("h").read(() -> 0);
        registry.counter("labelled_total").help("h").labels("x").register();
        Exposition read = parse();
        assertThat(read.value("c_total")).isZero();
        assertThat(read.value("g")).isZero();
        assertThat(read.value("h_count")).isZero();
        assertThat(read.value("k")).isZero();
        assertThat(read.family("labelled_total").samples()).isEmpty();
    }

    @Test
    void families_are_ordered_by_name_and_series_by_label_values() {
        for (String name : List.of("b", "c", "a")) {
            Gauge gauge = registry.gauge(name).help("h").labels("x", "y").register();
            gauge.with("2", "1").set(1);
            gauge.with("1", "2").set(1);
            gauge.with("1", "10").set(1);
        }
        Exposition read = parse();
        assertThat(read.names()).containsExactly("a", "b", "c");
        assertThat(read.samples("a"))
                .extracting(sample -> String.join("/", sample.labels().values()))
                .containsExactly("1/10", "1/2", "2/1");
        assertThat(text()).isEqualTo(text());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, -0.001, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
    void a_counter_refuses_negative_and_non_finite_amounts(double amount) {
        Counter counter = registry.counter("c_total").help("h").register();
        counter.inc(2.5);
        counter.inc(amount);
        counter.inc(-1L);
        assertThat(parse().value("c_total")).isEqualTo(2.5);
        assertThat(counter.refusedCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
    void a_histogram_refuses_negative_and_non_finite_values(double value) {
        Timer timer = registry.timer("h").help("h").buckets(1).register();
        timer.with().observe(value);
        timer.with().observe(3);
        timer.record(-1);
        assertThat(parse().value("h_count")).isEqualTo(1);
        assertThat(parse().value("h_sum")).isEqualTo(3);
        assertThat(timer.refusedCount()).isEqualTo(2);
    }

    @Test
    void changing_the_bounds_array_does_not_change_the_buckets() {
        double[] bounds = {1, 2};
        Histogram histogram = registry.histogram("h").help("h").buckets(bounds).register();
        bounds[0] = 99;
        histogram.observe(1.5);
        assertThat(parse().value("h_bucket", Map.of("le", "1.0"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n"})
    void a_metric_without_help_is_refused(String help) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.gauge("a").help(help).register())
                .withMessage("metric a needs a help text");
    }

    private String text() {
        return Exposition.text(registry, Format.TEXT);
    }

    private Exposition parse() {
        return Exposition.of(registry, Format.TEXT);
    }
}
