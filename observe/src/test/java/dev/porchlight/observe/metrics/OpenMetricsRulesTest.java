// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.tuple;

import dev.porchlight.observe.trace.SpanContext;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of OpenMetrics 1.0, one test each. */
class OpenMetricsRulesTest {
    private static final SpanContext SAMPLED = new SpanContext(0xabc, 0xdef, 0x123, 1, "", false);
    private static final SpanContext UNSAMPLED = new SpanContext(0xabc, 0xdef, 0x123, 0, "", false);

    private final AtomicReference<SpanContext> current = new AtomicReference<>(SpanContext.NONE);
    private final MetricRegistry registry = new MetricRegistry(100, overflow -> {}, misuse -> {}, current::get);

    @Test
    void the_content_type_is_exact() {
        assertThat(Format.OPENMETRICS.contentType())
                .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
    }

    @Test
    void type_unit_and_help_appear_in_this_order_and_eof_ends_the_text() {
        registry.gauge("a_seconds").help("h").register().set(1);
        assertThat(text()).isEqualTo("""
                        # TYPE a_seconds gauge
                        # UNIT a_seconds seconds
                        # HELP a_seconds h
                        a_seconds 1
                        # EOF
                        """);
    }

    @Test
    void an_empty_registry_is_a_valid_exposition() {
        assertThat(text()).isEqualTo("# EOF\n");
        parse();
    }

    @Test
    void a_counter_registered_without_total_gets_the_suffix_in_its_samples() {
        registry.counter("logouts").help("h").register().inc(2);
        registry.counter("visits").help("h").read(() -> 3);
        assertThat(parse().value("logouts_total")).isEqualTo(2);
        assertThat(parse().value("visits_total")).isEqualTo(3);
        Exposition text = Exposition.of(registry, Format.TEXT);
        assertThat(text.value("logouts")).isEqualTo(2);
        assertThat(text.value("visits")).isEqualTo(3);
    }

    @Test
    void a_counter_family_has_no_total_suffix_but_its_samples_do() {
        Counter counter = registry.counter("logins_total").help("h").labels("x").register();
        counter.with("1").inc();
        counter.with("2").inc(0.5);
        assertThat(text()).isEqualTo("""
                        # TYPE logins counter
                        # HELP logins h
                        logins_total{x="1"} 1
                        logins_total{x="2"} 0.5
                        # EOF
                        """);
    }

    @Test
    void help_escapes_quotes_and_only_a_name_that_ends_in_a_unit_has_a_unit_line() {
        registry.gauge("a_bytes").help("back\\slash \"quoted\"\nnext").register();
        registry.counter("b_seconds_total").help("h").register();
        registry.gauge("seconds").help("h").register();
        registry.gauge("c_seconds_max").help("h").register();
        assertThat(text()).contains("# HELP a_bytes back\\\\slash \\\"quoted\\\"\\nnext\n");
        assertThat(parse().families())
                .extracting(Exposition.Family::name, Exposition.Family::unit)
                .containsExactlyInAnyOrder(
                        tuple("a_bytes", "bytes"),
                        tuple("b_seconds", "seconds"),
                        tuple("seconds", ""),
                        tuple("c_seconds_max", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "0.005, 0.005",
        "1, 1.0",
        "10, 10.0",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "1000000, 1e+06",
        "100000, 100000.0",
        "0.1, 0.1",
        "0, 0.0",
        "-0.0, 0.0",
        "1e23, 1e+23",
        "2.5, 2.5"
    })
    void le_is_canonical_and_the_same_in_both_formats(double bound, String le) {
        registry.histogram("h").help("h").buckets(bound).register();
        assertThat(text()).contains("h_bucket{le=\"" + le + "\"} 0\n");
        assertThat(Exposition.text(registry, Format.TEXT)).contains("h_bucket{le=\"" + le + "\"} 0\n");
        parse();
    }

    @Test
    void buckets_and_counts_are_whole_numbers_and_counters_are_valid() {
        Histogram histogram = registry.histogram("h").help("h").buckets(1).register();
        histogram.observe(0.25);
        registry.counter("c").help("h").read(() -> Double.NaN);
        registry.counter("d").help("h").read(() -> -1);
        Exposition read = parse();
        assertThat(read.samples("h_bucket")).extracting(Exposition.Sample::text).containsExactly("1", "1");
        assertThat(read.samples("h_count")).extracting(Exposition.Sample::text).containsExactly("1");
        assertThat(read.value("c_total")).isZero();
        assertThat(read.value("d_total")).isZero();
    }

    @Test
    void buckets_and_counters_have_exemplars_of_the_sampled_span() {
        Counter counter = registry.counter("c_total").help("h").register();
        Timer timer = registry.timer("h_seconds").help("h").buckets(0.1, 1).register();
        long before = System.currentTimeMillis();
        current.set(SAMPLED);
        counter.inc(2);
        timer.with().observe(0.5);
        timer.record(100_000_000);
        Exposition read = parse();
        var labels = Map.of("trace_id", "0000000000000abc0000000000000def", "span_id", "0000000000000123");
        Exposition.Exemplar total = read.samples("c_total").get(0).exemplar();
        assertThat(total.labels()).isEqualTo(labels);
        assertThat(total.value()).isEqualTo(2);
        assertThat((long) (Double.parseDouble(total.seconds()) * 1000 + 0.5))
                .isBetween(before, System.currentTimeMillis());
        assertThat(read.samples("h_seconds_bucket"))
                .extracting(sample ->
                        sample.exemplar() == null ? null : sample.exemplar().value())
                .containsExactly(0.1, 0.5, null);
    }

    @Test
    void a_span_given_with_the_value_overrides_the_current_one() {
        Timer timer = registry.timer("h_seconds")
                .help("h")
                .buckets(0.1, 1)
                .labels("x")
                .register();
        timer.with("a").record(50_000_000, SAMPLED);
        timer.with("a").record(500_000_000, UNSAMPLED);
        timer.with("a").record(5_000_000_000L, SpanContext.NONE);
        assertThat(parse().samples("h_seconds_bucket"))
                .extracting(sample ->
                        sample.exemplar() == null ? null : sample.exemplar().value())
                .containsExactly(0.05, null, null);
    }

    @Test
    void an_exemplar_is_replaced_only_after_a_scrape_has_shown_it() {
        Counter counter = registry.counter("c_total").help("h").register();
        current.set(SAMPLED);
        counter.inc(1);
        counter.inc(2);
        assertThat(parse().samples("c_total").get(0).exemplar().value()).isEqualTo(1);
        Exposition.of(registry, Format.TEXT);
        counter.inc(3);
        counter.inc(4);
        current.set(UNSAMPLED);
        counter.inc(5);
        assertThat(parse().samples("c_total").get(0).exemplar().value()).isEqualTo(3);
    }

    @Test
    void without_a_sampled_span_or_with_a_failing_supplier_no_exemplar_is_taken() {
        current.set(UNSAMPLED);
        registry.counter("a_total").help("h").register().inc();
        MetricRegistry broken = new MetricRegistry(100, overflow -> {}, misuse -> {}, () -> {
            throw new IllegalStateException("no context");
        });
        Counter counter = broken.counter("a_total").help("h").register();
        counter.inc();
        assertThat(parse().samples("a_total").get(0).exemplar()).isNull();
        assertThat(Exposition.of(broken, Format.OPENMETRICS).value("a_total")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "foo_created, both would use the name foo_created",
        "foo_total, metric foo_total is already registered",
        "foo, both would use the name foo",
        "bar_bucket, both would use the name bar_bucket",
        "bar_sum, both would use the name bar_sum",
        "bar_count, both would use the name bar_count",
        "bar_created, both would use the name bar_created",
        "bar, metric bar is already registered"
    })
    void a_gauge_whose_name_another_metric_may_use_is_refused(String name, String why) {
        registry.counter("foo_total").help("h").register();
        registry.histogram("bar").help("h").buckets(1).register();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.gauge(name).help("h").register())
                .withMessageContaining(why);
    }

    @Test
    void the_order_of_registration_does_not_matter_and_a_refused_metric_leaves_no_trace() {
        registry.gauge("foo_created").help("h").register();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.counter("foo").help("h").register());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.summary("foo").help("h").read(totals -> totals.sample(1, 1)));
        assertThatNoException().isThrownBy(() -> registry.gauge("foo").help("h").register());
        assertThat(parse().names()).containsExactly("foo", "foo_created");
    }

    @Test
    void suffixes_without_a_conflict_are_allowed() {
        for (String name : List.of("orders_created_total", "queue_count", "build_info", "energy_sum")) {
            registry.gauge("g_" + name).help("h").register();
        }
        registry.counter("orders_created_total").help("h").register().inc();
        assertThat(parse().value("orders_created_total")).isEqualTo(1);
    }

    @Test
    void values_are_read_at_each_scrape_and_scrapes_run_concurrently() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        CountDownLatch bothInside = new CountDownLatch(2);
        registry.gauge("a").help("h").read(reads::incrementAndGet);
        assertThat(parse().value("a")).isEqualTo(1);
        assertThat(parse().value("a")).isEqualTo(2);

        // Each scrape waits, while it is being sent, until the other has got as far.
        OutputStream meeting = new OutputStream() {
            @Override
            public void write(int b) {}

            @Override
            public void write(byte[] bytes, int from, int count) {
                bothInside.countDown();
                try {
                    bothInside.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        Callable<Void> scrape = () -> {
            registry.scrape(Format.OPENMETRICS, meeting);
            return null;
        };
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> done : pool.invokeAll(List.of(scrape, scrape), 30, TimeUnit.SECONDS)) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(reads).hasValue(4);
    }

    private String text() {
        return Exposition.text(registry, Format.OPENMETRICS);
    }

    private Exposition parse() {
        return Exposition.of(registry, Format.OPENMETRICS);
    }
}
