// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AutomaticMetricsTest {
    private final MetricRegistry registry = new MetricRegistry(3, overflow -> {}, misuse -> {}, () -> SpanContext.NONE);
    private final AutomaticMetrics automatic = new AutomaticMetrics(registry);

    @AfterEach
    void stop() {
        automatic.close();
    }

    @Test
    void the_specified_metrics_exist_from_the_start_with_their_types_and_labels() {
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.family("http_requests_total").type()).isEqualTo("counter");
        assertThat(read.family("http_request_duration_seconds").type()).isEqualTo("histogram");
        assertThat(read.family("process_heap_bytes").type()).isEqualTo("gauge");
        assertThat(read.family("db_pool_connections").type()).isEqualTo("gauge");
        assertThat(labels("http_requests_total")).containsExactly("method", "route", "status");
        assertThat(labels("http_request_duration_seconds")).containsExactly("method", "route", "status");
        assertThat(labels("process_heap_bytes")).isEmpty();
        assertThat(labels("db_pool_connections")).containsExactly("state");
    }

    @Test
    void a_request_is_counted_and_timed_under_its_route() {
        automatic.http().route("GET", "/users/{id}").record(503, 20_000_000);
        var labels = Map.of("method", "GET", "route", "/users/{id}", "status", "503");
        Exposition read = Exposition.of(registry, Format.OPENMETRICS);
        assertThat(read.value("http_requests_total", labels)).isEqualTo(1);
        assertThat(read.value("http_request_duration_seconds_sum", labels)).isEqualTo(0.02);
    }

    @Test
    void invented_methods_and_statuses_share_one_label_value() {
        automatic.http().route("BREW", null).record(999, 1);
        automatic.http().route("get", null).record(0, 1);
        var labels = Map.of("method", "_OTHER", "route", "unmatched", "status", "_OTHER");
        assertThat(Exposition.of(registry, Format.TEXT).value("http_requests_total", labels))
                .isEqualTo(2);
    }

    @Test
    void each_status_of_a_route_has_its_own_series() {
        HttpMetrics.Route route = automatic.http().route("POST", "/a");
        for (int status : new int[] {100, 200, 200, 599}) {
            route.record(status, 1);
        }
        assertThat(Exposition.of(registry, Format.TEXT).samples("http_requests_total"))
                .extracting(sample -> sample.labels().get("status") + ":" + sample.text())
                .containsExactly("100:1", "200:2", "599:1");
    }

    @Test
    void pool_metrics_are_zero_until_a_pool_is_set() {
        assertThat(pool()).containsExactly("active:0", "idle:0", "waiting:0");
        automatic.pool(() -> new PoolState(7, 3, 1));
        assertThat(pool()).containsExactly("active:3", "idle:7", "waiting:1");
    }

    @Test
    void jvm_and_process_metrics_have_their_conventional_names() {
        Exposition read = Exposition.of(registry, Format.OPENMETRICS);
        assertThat(read.value("jvm_memory_used_bytes", Map.of("area", "heap"))).isPositive();
        assertThat(read.value("jvm_memory_used_bytes", Map.of("area", "nonheap")))
                .isPositive();
        assertThat(read.value("jvm_threads_current")).isPositive();
        assertThat(read.value("jvm_classes_currently_loaded")).isPositive();
        assertThat(read.value("process_cpu_seconds_total")).isPositive();
        assertThat(read.value("process_start_time_seconds"))
                .isCloseTo(
                        ProcessHandle.current()
                                        .info()
                                        .startInstant()
                                        .orElseThrow()
                                        .toEpochMilli()
                                / 1e3,
                        Offset.offset(30.0));
        assertThat(read.samples("jvm_gc_collection_seconds_count")).isNotEmpty();
        assertThat(read.samples("jvm_info"))
                .singleElement()
                .satisfies(info -> assertThat(info.labels().keySet()).containsExactly("runtime", "vendor", "version"));
        if (File.separatorChar == '/') {
            assertThat(read.value("process_open_fds")).isPositive();
            assertThat(read.value("process_max_fds")).isGreaterThanOrEqualTo(read.value("process_open_fds"));
        }
        if (System.getProperty("os.name").equals("Linux")) {
            assertThat(read.value("process_resident_memory_bytes")).isBetween(1e7, 1e12);
            assertThat(read.value("process_virtual_memory_bytes"))
                    .isGreaterThan(read.value("process_resident_memory_bytes"));
        }
    }

    @Test
    void overflow_and_misuse_are_counted_by_metric() {
        Counter counter = registry.counter("c_total").help("h").labels("x").register();
        for (int i = 0; i < 10; i++) {
            counter.with("x" + i).inc();
        }
        counter.with("x0").inc(-1);
        Exposition read = Exposition.of(registry, Format.TEXT);
        assertThat(read.value("obs_series_overflow_total", Map.of("metric", "c_total")))
                .isEqualTo(7);
        assertThat(read.value("obs_metric_misuse_total", Map.of("metric", "c_total")))
                .isEqualTo(1);
        assertThat(read.value("obs_scrape_duration_seconds_count")).isZero();
        assertThat(Exposition.of(registry, Format.TEXT).value("obs_scrape_duration_seconds_count"))
                .isEqualTo(1);
    }

    @Test
    void the_heap_is_sampled_every_five_seconds_and_not_by_scrapes() {
        assertThat(HeapSampler.INTERVAL).isEqualTo(Duration.ofSeconds(5));
        assertThat(automatic.heapBytes()).isPositive();
        assertThat(Exposition.of(registry, Format.TEXT).value("process_heap_bytes"))
                .isPositive();

        AtomicLong heap = new AtomicLong(1);
        var other = new MetricRegistry();
        try (var still = new AutomaticMetrics(other, new HeapSampler(heap::get, Duration.ofDays(1)))) {
            heap.set(2);
            assertThat(still.heapBytes()).isEqualTo(1);
            assertThat(Exposition.of(other, Format.TEXT).value("process_heap_bytes"))
                    .isEqualTo(1);
            assertThat(still.heapBytes()).isEqualTo(1);
        }
    }

    @Test
    void heap_sampling_runs_in_the_background_until_closed() {
        AtomicLong heap = new AtomicLong(1);
        try (var sampler = new HeapSampler(heap::get, Duration.ofMillis(5)).start()) {
            assertThat(sampler.latest()).isEqualTo(1);
            heap.set(2);
            Awaitility.await().until(() -> sampler.latest() == 2);
            assertThat(samplers()).isNotEmpty().allMatch(Thread::isDaemon);
        }
        automatic.close();
        Awaitility.await().until(() -> samplers().isEmpty());
    }

    private static List<Thread> samplers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("observe-heap-sampler"))
                .toList();
    }

    private List<String> pool() {
        return Exposition.of(registry, Format.TEXT).samples("db_pool_connections").stream()
                .map(sample -> sample.labels().get("state") + ":" + sample.text())
                .toList();
    }

    private List<String> labels(String name) {
        return registry.snapshot(name).orElseThrow().labelNames();
    }
}
