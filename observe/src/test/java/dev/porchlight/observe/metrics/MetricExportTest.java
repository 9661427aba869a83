// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static dev.porchlight.observe.otlp.CollectorStub.respond;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.otlp.CanonicalJson;
import dev.porchlight.observe.otlp.CollectorStub;
import dev.porchlight.observe.otlp.StrictJson;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.support.Patience;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The official protobuf classes read what a collector receives. */
class MetricExportTest {
    private static final String PREFIX = "OTEL_EXPORTER_OTLP_METRICS_";
    private static final SpanContext SPAN = new SpanContext(0x0af7651916cd43ddL, 2, 3, 1, "", false);

    private final CollectorStub collector = new CollectorStub();
    private final AtomicReference<SpanContext> span = new AtomicReference<>(SpanContext.NONE);
    private final MetricRegistry registry = new MetricRegistry(100, overflow -> {}, misuse -> {}, span::get);
    private final List<ExportEvent> events = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        collector.close();
    }

    @Test
    void every_type_is_sent_with_its_labels_and_times() throws Exception {
        registry.counter("logins_total")
                .help("Logins.")
                .labels("result")
                .register()
                .with("ok")
                .inc(3);
        registry.gauge("heap_bytes").help("Heap.").register().set(12.5);
        registry.histogram("wait_seconds")
                .help("Waits.")
                .buckets(0.1, 1)
                .register()
                .observe(0.5);
        registry.summary("batches").help("Batches.").read(totals -> totals.sample(4, 2.5));
        long before = System.currentTimeMillis() * 1_000_000;
        try (MetricExport export = open()) {
            flush(export);
            assertThat(export.stats().exported()).isEqualTo(4);
        }
        Map<String, Metric> sent = metrics(0);
        Metric counter = sent.get("logins");
        assertThat(counter.getDescription()).isEqualTo("Logins.");
        assertThat(counter.getSum().getIsMonotonic()).isTrue();
        assertThat(counter.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        NumberDataPoint point = counter.getSum().getDataPoints(0);
        assertThat(point.getAsDouble()).isEqualTo(3);
        assertThat(point.getAttributes(0).getKey()).isEqualTo("result");
        assertThat(point.getAttributes(0).getValue().getStringValue()).isEqualTo("ok");
        assertThat(point.getStartTimeUnixNano())
                .isGreaterThanOrEqualTo(before)
                .isLessThanOrEqualTo(point.getTimeUnixNano());
        assertThat(sent.get("heap_bytes").getUnit()).isEqualTo("By");
        assertThat(sent.get("heap_bytes").getGauge().getDataPoints(0).getAsDouble())
                .isEqualTo(12.5);
        HistogramDataPoint histogram = sent.get("wait_seconds").getHistogram().getDataPoints(0);
        assertThat(sent.get("wait_seconds").getUnit()).isEqualTo("s");
        assertThat(histogram.getCount()).isEqualTo(1);
        assertThat(histogram.getSum()).isEqualTo(0.5);
        assertThat(histogram.getBucketCountsList()).containsExactly(0L, 1L, 0L);
        assertThat(histogram.getExplicitBoundsList()).containsExactly(0.1, 1.0);
        assertThat(sent.get("batches").getSummary().getDataPoints(0).getCount()).isEqualTo(4);
        assertThat(sent.get("batches").getSummary().getDataPoints(0).getSum()).isEqualTo(2.5);
    }

    @Test
    void the_endpoint_of_the_signal_is_used_as_it_is_and_a_base_url_gets_the_path() throws Exception {
        registry.gauge("a").help("A.").register();
        try (MetricExport export = open()) {
            flush(export);
        }
        try (MetricExport export =
                open(Map.of("OTEL_METRICS_EXPORTER", "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT", collector.base() + "/x"))) {
            flush(export);
        }
        assertThat(collector.requests())
                .extracting(CollectorStub.Request::path)
                .startsWith("/own")
                .endsWith("/x/v1/metrics");
    }

    @Test
    void json_and_protobuf_are_equivalent() throws Exception {
        span.set(SPAN);
        registry.counter("logins_total")
                .help("Logins \"q\".")
                .labels("result")
                .register()
                .with("ok\n")
                .inc();
        registry.gauge("nan").help("N.").register().set(Double.NaN);
        registry.histogram("wait_seconds")
                .help("Waits.")
                .labels("a", "b")
                .register()
                .with("1", "2")
                .observe(0.5);
        registry.histogram("wide").help("Wide.").register().observe(3);
        registry.summary("batches").help("Batches.").read(totals -> totals.sample(4, 2.5));
        for (String aggregation : List.of("explicit_bucket_histogram", "base2_exponential_bucket_histogram")) {
            collector.requests.clear();
            for (String protocol : List.of("http/protobuf", "http/json")) {
                Map<String, String> environment =
                        own("PROTOCOL", protocol, "DEFAULT_HISTOGRAM_AGGREGATION", aggregation);
                try (MetricExport export = open(environment)) {
                    flush(export);
                }
            }
            for (int export = 0; export < 2; export++) { // the second one reuses encoded labels and bounds
                Object protobuf = CanonicalJson.of(request(export));
                byte[] body = collector.requests().get(2 + export).plain();
                Object json = CanonicalJson.withoutDefaults(StrictJson.parse(new String(body, StandardCharsets.UTF_8)));
                assertThat(withoutTimes(json)).isEqualTo(withoutTimes(protobuf));
            }
            assertThat(withoutTimes(CanonicalJson.of(request(1)))).contains("ok", "Waits.");
        }
    }

    @Test
    void a_delta_is_what_the_collector_has_not_accepted_yet() throws Exception {
        Counter counter = registry.counter("logins_total").help("Logins.").register();
        Histogram histogram =
                registry.histogram("wait_seconds").help("W.").buckets(1, 2).register();
        registry.gauge("g").help("G.").register().set(7);
        counter.inc(3);
        histogram.observe(0.5);
        try (MetricExport export = open(own("TEMPORALITY_PREFERENCE", "delta"))) {
            collector.script.add(respond(400));
            flush(export);
            assertThat(export.stats().dropped(DropReason.EXPORT_FAILED)).isEqualTo(3);
            counter.inc(2);
            histogram.observe(1.5);
            flush(export);
            counter.inc(4);
            flush(export);
            flush(export);
        }
        assertThat(metrics(1).get("logins").getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
        NumberDataPoint second = metrics(1).get("logins").getSum().getDataPoints(0);
        assertThat(second.getAsDouble()).as("what the refused export had, too").isEqualTo(5);
        assertThat(metrics(1)
                        .get("wait_seconds")
                        .getHistogram()
                        .getDataPoints(0)
                        .getBucketCountsList())
                .containsExactly(1L, 1L, 0L);
        NumberDataPoint third = metrics(2).get("logins").getSum().getDataPoints(0);
        assertThat(third.getAsDouble()).isEqualTo(4);
        assertThat(third.getStartTimeUnixNano()).isEqualTo(second.getTimeUnixNano());
        assertThat(metrics(2)).as("an unchanged histogram is not sent").doesNotContainKey("wait_seconds");
        assertThat(metrics(3)).as("only the gauge is left").containsOnlyKeys("g");
    }

    @Test
    void a_retried_delta_is_counted_once() throws Exception {
        Counter counter = registry.counter("logins_total").help("Logins.").register();
        counter.inc(3);
        try (MetricExport export = open(own("TEMPORALITY_PREFERENCE", "delta"))) {
            collector.script.add(respond(503, "Retry-After", "0"));
            flush(export);
            counter.inc();
            flush(export);
        }
        assertThat(metrics(0)).isEqualTo(metrics(1));
        assertThat(metrics(2).get("logins").getSum().getDataPoints(0).getAsDouble())
                .isEqualTo(1);
    }

    @Test
    void low_memory_is_delta_except_for_counters_that_are_read_from_callbacks() throws Exception {
        registry.counter("recorded_total").help("R.").register().inc();
        registry.counter("read_total").help("R.").read(() -> 5);
        try (MetricExport export = open(own("TEMPORALITY_PREFERENCE", "lowmemory"))) {
            flush(export);
        }
        assertThat(metrics(0).get("recorded").getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
        assertThat(metrics(0).get("read").getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    }

    @Test
    void a_callback_that_fails_once_does_not_count_twice() throws Exception {
        AtomicLong value = new AtomicLong(100);
        registry.counter("read_total").help("R.").labels("a").read(samples -> {
            if (value.get() < 0) {
                throw new IllegalStateException();
            }
            samples.sample(value.get(), "x");
        });
        try (MetricExport export = open(own("TEMPORALITY_PREFERENCE", "delta"))) {
            flush(export);
            value.set(-1);
            flush(export);
            value.set(101);
            flush(export);
            value.set(4); // restarted
            flush(export);
        }
        assertThat(collector.requests()).hasSize(3);
        assertThat(List.of(0, 1, 2))
                .map(request ->
                        metrics(request).get("read").getSum().getDataPoints(0).getAsDouble())
                .containsExactly(100.0, 1.0, 4.0);
    }

    @Test
    void a_cumulative_series_keeps_its_start_and_a_later_one_starts_after_the_previous_export() throws Exception {
        Counter counter =
                registry.counter("logins_total").help("L.").labels("a").register();
        counter.with("early").inc();
        try (MetricExport export = open()) {
            flush(export);
            counter.with("late").inc();
            flush(export);
        }
        NumberDataPoint first = metrics(0).get("logins").getSum().getDataPoints(0);
        List<NumberDataPoint> second = metrics(1).get("logins").getSum().getDataPointsList();
        assertThat(second.get(0).getStartTimeUnixNano()).isEqualTo(first.getStartTimeUnixNano());
        assertThat(second.get(1).getStartTimeUnixNano()).isEqualTo(first.getTimeUnixNano());
    }

    @Test
    void exponential_histograms_hold_each_value_in_its_bucket() throws Exception {
        Histogram histogram = registry.histogram("wait_seconds").help("W.").register();
        Map<String, String> environment = own(
                "DEFAULT_HISTOGRAM_AGGREGATION",
                "base2_exponential_bucket_histogram",
                "TEMPORALITY_PREFERENCE",
                "delta");
        try (MetricExport export = open(environment)) {
            List.of(0.0, 0.004, 1.0, 1.0, 3.0).forEach(histogram::observe);
            flush(export);
            histogram.observe(8);
            flush(export);
        }
        ExponentialHistogramDataPoint point =
                metrics(0).get("wait_seconds").getExponentialHistogram().getDataPoints(0);
        assertThat(point.getCount()).isEqualTo(5);
        assertThat(point.getSum()).isEqualTo(5.004);
        assertThat(point.getZeroCount()).isEqualTo(1);
        assertThat(point.getScale()).isEqualTo(3);
        assertThat(counts(point)).isEqualTo(Map.of(bucket(0.004), 1L, bucket(1), 2L, bucket(3), 1L));
        assertThat(bucket(1)).as("2^0 is the upper bound of bucket -1").isEqualTo(-1);
        ExponentialHistogramDataPoint next =
                metrics(1).get("wait_seconds").getExponentialHistogram().getDataPoints(0);
        assertThat(next.getCount()).isEqualTo(1);
        assertThat(counts(next)).isEqualTo(Map.of(bucket(8), 1L));
    }

    @Test
    void exemplars_are_sent_once() throws Exception {
        span.set(SPAN);
        registry.counter("logins_total").help("L.").register().inc();
        registry.histogram("wait_seconds").help("W.").register().observe(0.3);
        try (MetricExport export = open()) {
            flush(export);
            flush(export);
        }
        var exemplar =
                metrics(0).get("wait_seconds").getHistogram().getDataPoints(0).getExemplars(0);
        assertThat(exemplar.getAsDouble()).isEqualTo(0.3);
        assertThat(exemplar.getSpanId().toByteArray()).containsExactly(0, 0, 0, 0, 0, 0, 0, 3);
        assertThat(exemplar.getTraceId().size()).isEqualTo(16);
        assertThat(metrics(0).get("logins").getSum().getDataPoints(0).getExemplarsCount())
                .isOne();
        assertThat(metrics(1).get("logins").getSum().getDataPoints(0).getExemplarsCount())
                .isZero();
    }

    @Test
    void the_last_values_are_sent_on_close_and_a_dead_collector_costs_them() {
        Counter counter = registry.counter("logins_total").help("L.").register();
        MetricExport export = open();
        counter.inc();
        assertThat(export.close(Patience.LIMIT)).isZero();
        assertThat(export.flush(Duration.ofMillis(1))).isTrue();
        assertThat(metrics(0).get("logins").getSum().getDataPoints(0).getAsDouble())
                .isEqualTo(1);

        MetricExport hung = open();
        collector.script.add(collector.hang());
        assertThat(hung.close(Duration.ofMillis(50))).isEqualTo(1);
        assertThat(events).extracting(ExportEvent::message).endsWith("Closed with unsent metric points");
    }

    @Test
    void metrics_are_not_sent_unless_the_signal_is_configured() {
        for (Map<String, String> environment : List.of(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.base()),
                Map.of("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_EXPORTER_OTLP_ENDPOINT", collector.base()),
                Map.of("OTEL_METRICS_EXPORTER", "none", PREFIX + "ENDPOINT", collector.base()),
                Map.of("OTEL_SDK_DISABLED", "true", PREFIX + "ENDPOINT", collector.base()))) {
            try (MetricExport export = open(environment)) {
                flush(export);
            }
        }
        assertThat(collector.requests()).isEmpty();
    }

    @Test
    void invalid_settings_are_reported_by_variable() {
        List<String> warnings = new ArrayList<>();
        Map<String, String> environment =
                own("TEMPORALITY_PREFERENCE", "x", "DEFAULT_HISTOGRAM_AGGREGATION", "y", "PROTOCOL", "grpc");
        environment.put("OTEL_METRIC_EXPORT_INTERVAL", "-1");
        MetricExport.Settings settings = MetricExport.Settings.fromEnvironment(
                "test", environment, (variable, message) -> warnings.add(variable));
        assertThat(warnings)
                .containsExactlyInAnyOrder(
                        PREFIX + "TEMPORALITY_PREFERENCE",
                        PREFIX + "DEFAULT_HISTOGRAM_AGGREGATION",
                        PREFIX + "PROTOCOL",
                        "OTEL_METRIC_EXPORT_INTERVAL");
        assertThat(settings.otlp.batching().delay()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.temporality).isEqualTo(MetricExport.Temporality.CUMULATIVE);
    }

    private MetricExport open() {
        return open(own());
    }

    private MetricExport open(Map<String, String> environment) {
        MetricExport.Settings settings =
                MetricExport.Settings.fromEnvironment("test", environment, (variable, message) -> events.add(null));
        return MetricExport.open(settings, registry, events::add);
    }

    /** Returns an environment with the collector as the signal's own, and further variables of the signal. */
    private Map<String, String> own(String... pairs) {
        Map<String, String> environment = new HashMap<>(Map.of(PREFIX + "ENDPOINT", collector.base() + "/own"));
        for (int i = 0; i < pairs.length; i += 2) {
            environment.put(PREFIX + pairs[i], pairs[i + 1]);
        }
        return environment;
    }

    private static void flush(MetricExport export) {
        assertThat(export.flush(Patience.LIMIT)).isTrue();
    }

    private ExportMetricsServiceRequest request(int index) {
        try {
            return ExportMetricsServiceRequest.parseFrom(
                    collector.requests().get(index).body());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private Map<String, Metric> metrics(int index) {
        Map<String, Metric> metrics = new HashMap<>();
        request(index)
                .getResourceMetrics(0)
                .getScopeMetrics(0)
                .getMetricsList()
                .forEach(metric -> metrics.put(metric.getName(), metric));
        return metrics;
    }

    private static int bucket(double value) {
        return (int) Math.ceil(Math.log(value) / Math.log(2) * 8) - 1;
    }

    private static Map<Integer, Long> counts(ExponentialHistogramDataPoint point) {
        Map<Integer, Long> counts = new HashMap<>();
        for (int i = 0; i < point.getPositive().getBucketCountsCount(); i++) {
            if (point.getPositive().getBucketCounts(i) > 0) {
                counts.put(
                        point.getPositive().getOffset() + i, point.getPositive().getBucketCounts(i));
            }
        }
        return counts;
    }

    private static String withoutTimes(Object json) {
        return json.toString().replaceAll("(?i)(start)?timeUnixNano=\\d+", "time");
    }
}
