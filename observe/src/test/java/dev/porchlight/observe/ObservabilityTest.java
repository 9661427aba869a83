// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.Format;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.otlp.CollectorStub;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.support.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ObservabilityTest {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

    @Test
    void every_loss_has_a_series_from_the_start() throws IOException {
        try (Observability observe = open(Map.of())) {
            assertThat(scrape(observe, Format.TEXT))
                    .contains("obs_spans_dropped_total{reason=\"queue_full\"} 0\n")
                    .contains("obs_spans_dropped_total{reason=\"shutdown\"} 0\n")
                    .contains("obs_spans_dropped_total{reason=\"export_failed\"} 0\n")
                    .contains("obs_spans_dropped_total{reason=\"rejected\"} 0\n")
                    .contains("obs_spans_dropped_total{reason=\"too_large\"} 0\n")
                    .contains("obs_log_lines_dropped_total{level=\"warn\",reason=\"queue_full\"} 0\n")
                    .contains("obs_export_batches_total{signal=\"traces\",result=\"success\"} 0\n")
                    .contains("obs_log_records_dropped_total{reason=\"queue_full\"} 0\n")
                    .contains("obs_metric_points_dropped_total{reason=\"export_failed\"} 0\n")
                    .contains("obs_queue_size{signal=\"traces\"} 0\n")
                    .contains("obs_queue_capacity{signal=\"logs\"} 0\n")
                    .contains("obs_scrape_duration_seconds_count ")
                    .contains("# TYPE obs_series_overflow_total counter\n")
                    .contains("process_heap_bytes ");
        }
    }

    @Test
    void export_failures_are_warnings_and_the_recovery_is_info() {
        try (Observability observe = open(Map.of())) {
            for (ExportEvent.Kind kind : ExportEvent.Kind.values()) {
                Events.log(observe.logger(), new ExportEvent(kind, Signal.METRICS, kind.name(), Map.of()));
                String level = kind == ExportEvent.Kind.EXPORT_RECOVERED ? "info" : "warn";
                assertThat(lines.toString(UTF_8).lines().filter(line -> line.contains(kind.name())))
                        .hasSize(kind.debug() ? 0 : 1)
                        .allMatch(line -> line.contains("\"level\":\"" + level + "\""));
            }
        }
    }

    @Test
    void lost_lines_are_counted_by_level_and_reason() throws IOException {
        LogWriter broken = LogWriter.to(new java.io.OutputStream() {
            @Override
            public void write(int oneByte) throws IOException {
                throw new IOException("no space left");
            }
        });
        try (Observability observe =
                Observability.open(ObservabilitySettings.fromEnvironment("test", Map.of()), broken)) {
            observe.logger().error("one");
            observe.logger().error("two");
            assertThat(scrape(observe, Format.TEXT))
                    .contains("obs_log_lines_dropped_total{level=\"error\",reason=\"sink_failed\"} 2\n");
        }
    }

    @Test
    void a_health_check_is_a_metric_and_its_changes_are_logged() throws IOException {
        AtomicInteger runs = new AtomicInteger();
        try (Observability observe = open(Map.of())) {
            observe.health().register("database", () -> {
                runs.incrementAndGet();
                return CheckResult.down("no route to host");
            });
            observe.health().register("disk", CheckResult::up);
            observe.health().ready();
            observe.health().ready();
            assertThat(scrape(observe, Format.TEXT))
                    .contains("health_check_status{check=\"database\"} 0\n")
                    .contains("health_check_status{check=\"disk\"} 1\n")
                    .contains("health_check_duration_seconds_count{check=\"database\"} 1\n");
        }
        assertThat(runs).hasValue(1);
        assertThat(text())
                .containsOnlyOnce("health check database is down")
                .contains("no route to host")
                .doesNotContain("check disk");
    }

    @Test
    void a_series_overflow_is_logged_once_with_the_widest_label() {
        try (Observability observe = open(Map.of())) {
            Counter counter = observe.metrics()
                    .counter("visits_total")
                    .help("Visits.")
                    .labels("page", "user")
                    .register();
            for (int i = 0; i < MetricRegistry.SERIES_LIMIT + 50; i++) {
                counter.with("home", "user" + i).inc();
            }
        }
        assertThat(text())
                .containsOnlyOnce("metric visits_total has reached its limit")
                .contains("\"widestLabel\":\"user\"");
    }

    @Test
    void a_misused_metric_is_logged_once() {
        try (Observability observe = open(Map.of())) {
            Counter counter =
                    observe.metrics().counter("visits_total").help("Visits.").register();
            counter.inc(-1);
            counter.inc(-1);
        }
        assertThat(text())
                .containsOnlyOnce("metric visits_total is misused: a counter cannot decrease")
                .contains("\"level\":\"warn\"");
    }

    @Test
    void tracing_warnings_are_logged() {
        open(Map.of("OTEL_TRACES_SAMPLER", "by_mood")).close();
        assertThat(text()).contains("\"level\":\"warn\"").contains("OTEL_TRACES_SAMPLER");
    }

    @Test
    void an_invalid_startup_delay_is_logged_and_ignored() {
        try (Observability observe = open(Map.of("SVC_READINESS_DELAY_MS", "soon"))) {
            assertThat(observe.health().ready().ok()).isTrue();
        }
        assertThat(text()).contains("SVC_READINESS_DELAY_MS").contains("\"level\":\"warn\"");
    }

    @Test
    void lines_use_the_given_name_and_traces_the_name_from_the_environment() {
        assertThat(name(Map.of())).isEqualTo("own");
        assertThat(name(Map.of("K_SERVICE", "k"))).isEqualTo("k");
        assertThat(name(Map.of("K_SERVICE", "k", "OTEL_RESOURCE_ATTRIBUTES", "a=b, service.name=r%20s,c=d")))
                .isEqualTo("r s");
        assertThat(name(Map.of("OTEL_SERVICE_NAME", "o", "OTEL_RESOURCE_ATTRIBUTES", "service.name=r")))
                .isEqualTo("o");
        assertThat(name(Map.of("OTEL_SERVICE_NAME", " ", "OTEL_RESOURCE_ATTRIBUTES", "service.name=%zz")))
                .isEqualTo("own");
    }

    @Test
    void log_lines_and_exemplars_carry_the_trace_and_close_sends_the_span() throws IOException {
        AtomicInteger posts = new AtomicInteger();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            exchange.getRequestBody().readAllBytes();
            posts.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        String endpoint = "http://localhost:" + collector.getAddress().getPort();
        Span span;
        try (Observability observe = open(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint))) {
            span = observe.tracer().start("work");
            Counter done = observe.metrics().counter("done_total").help("Done.").register();
            try (Scope scope = span.makeCurrent()) {
                assertThat(scope).isNotNull();
                done.inc();
                observe.logger().info("working");
            }
            span.end();
            String traceId = span.context().traceIdHex();
            assertThat(scrape(observe, Format.OPENMETRICS)).contains("done_total 1 # {trace_id=\"" + traceId);
            assertThat(text()).contains("\"trace_id\":\"" + traceId + "\"");
            assertThat(posts).hasValue(0);
        } finally {
            collector.stop(0);
        }
        assertThat(posts).hasValue(1);
    }

    @Test
    void all_signals_are_sent_to_one_collector_and_close_sends_the_rest() throws Exception {
        try (CollectorStub collector = new CollectorStub()) {
            Map<String, String> environment = Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", collector.base(),
                    "OTEL_METRICS_EXPORTER", "otlp",
                    "OTEL_LOGS_EXPORTER", "otlp");
            try (Observability observe = open(environment)) {
                Span span = observe.tracer().start("work");
                try (Scope scope = span.makeCurrent()) {
                    assertThat(scope).isNotNull();
                    observe.logger().info("working");
                }
                span.end();
                assertThat(observe.flush(Patience.LIMIT)).isTrue();
                assertThat(scrape(observe, Format.TEXT))
                        .contains("obs_log_records_exported_total 1\n")
                        .contains("obs_export_batches_total{signal=\"metrics\",result=\"success\"} 1\n");
                observe.logger().info("closing");
            }
            assertThat(collector.requests())
                    .extracting(CollectorStub.Request::path)
                    .contains("/v1/traces", "/v1/metrics", "/v1/logs")
                    .endsWith("/v1/metrics", "/v1/logs");
        }
    }

    @Test
    void debug_lines_show_each_export_and_retry_and_cause_no_export_of_lines() throws Exception {
        try (CollectorStub collector = new CollectorStub()) {
            collector.script.add(CollectorStub.respond(503, "Retry-After", "0"));
            Map<String, String> environment = Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", collector.base(),
                    "OTEL_LOGS_EXPORTER", "otlp",
                    "OTEL_BLRP_SCHEDULE_DELAY", "3600000",
                    "LOG_LEVEL", "debug");
            try (Observability observe = open(environment)) {
                observe.tracer().start("work").end();
                assertThat(observe.flush(Patience.LIMIT)).isTrue();
                assertThat(collector.requests())
                        .filteredOn(request -> request.path().equals("/v1/logs"))
                        .hasSize(1);
                assertThat(observe.flush(Patience.LIMIT)).isTrue();
                assertThat(collector.requests())
                        .filteredOn(request -> request.path().equals("/v1/logs"))
                        .hasSize(1);
            }
        }
        assertThat(text().lines().filter(line -> line.contains("\"level\":\"debug\"")))
                .anyMatch(line -> line.contains("export_attempt") && line.contains("Export of spans: retry"))
                .anyMatch(line -> line.contains("export_retry") && line.contains("\"attempt\":2"))
                .anyMatch(line -> line.contains("export_attempt") && line.contains("\"items\":1"));
    }

    @Test
    void the_exemplar_filter_decides_which_values_become_exemplars() throws Exception {
        for (String filter : List.of("always_on", "always_off", "trace_based")) {
            try (Observability observe = open(Map.of("OTEL_METRICS_EXEMPLAR_FILTER", filter))) {
                observe.metrics().counter("done_total").help("Done.").register().inc();
                assertThat(scrape(observe, Format.OPENMETRICS).contains("done_total 1 # {} 1"))
                        .as(filter)
                        .isEqualTo(filter.equals("always_on"));
            }
        }
        SpanContext sampled = new SpanContext(1, 2, 3, 1, "", false);
        try (Observability observe = open(Map.of("OTEL_METRICS_EXEMPLAR_FILTER", "always_off"))) {
            observe.automatic().http().route("GET", "/x").record(200, 1, sampled);
            assertThat(scrape(observe, Format.OPENMETRICS)).doesNotContain(" # {");
        }
    }

    @Test
    void close_is_idempotent() {
        Observability observe = open(Map.of());
        observe.close();
        observe.close();
        observe.logger().info("too late");
        assertThat(text()).doesNotContain("too late");
    }

    private Observability open(Map<String, String> environment) {
        return Observability.open(ObservabilitySettings.fromEnvironment("own", environment), LogWriter.to(lines));
    }

    private String name(Map<String, String> environment) {
        try (Observability observe = open(environment)) {
            observe.logger().info("named");
            assertThat(text().lines()).allMatch(line -> line.contains("\"service\":\"own\""));
            return observe.settings().tracing().serviceName();
        }
    }

    private String text() {
        return lines.toString(UTF_8);
    }

    private static String scrape(Observability observe, Format format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        observe.metrics().scrape(format, out);
        return out.toString(UTF_8);
    }
}
