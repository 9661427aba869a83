// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.porchlight.observe.trace.SpanContext;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Recording does not allocate. The bounds leave room for JIT compilation and the measurement itself. */
class AllocationTest {
    private static final int CALLS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final SpanContext span = new SpanContext(1, 2, 3, 1, "", false);
    private final MetricRegistry registry = new MetricRegistry(2_000, overflow -> {}, misuse -> {}, () -> span);

    @Test
    void a_lookup_of_three_labels_and_an_increment_allocate_nothing() {
        Counter counter = registry.counter("c_total")
                .help("h")
                .labels("method", "route", "status")
                .register();
        Map<String, String> labels = Map.of("method", "GET", "route", "/users/{id}", "status", "200");
        assertThat(perCall(() -> counter.with("GET", "/users/{id}", "200").inc()))
                .isLessThan(1);
        assertThat(perCall(() -> counter.with(labels).inc())).isLessThan(1);
        assertThat(perCall(() -> counter.with("GET", "/users/{id}", "200").inc(0.5)))
                .isLessThan(1);
    }

    @Test
    void observing_allocates_nothing() {
        Histogram histogram =
                registry.histogram("h_seconds").help("h").labels("a", "b").register();
        TimerSeries bound = registry.timer("t_seconds")
                .help("h")
                .labels("a", "b")
                .register()
                .with("x", "y");
        assertThat(perCall(() -> histogram.with("x", "y").observe(0.123))).isLessThan(1);
        assertThat(perCall(() -> bound.record(12_345_678))).isLessThan(1);
        assertThat(perCall(() -> bound.record(12_345_678, span))).isLessThan(1);
    }

    @Test
    void recording_a_request_allocates_nothing() {
        HttpMetrics.Route route = new HttpMetrics(registry).route("GET", "/users/{id}");
        assertThat(perCall(() -> route.record(200, 12_345_678, span))).isLessThan(1);
    }

    @Test
    void a_scrape_reuses_its_buffer() {
        Histogram histogram =
                registry.histogram("h_seconds").help("h").labels("x").register();
        for (int i = 0; i < 300; i++) {
            histogram.with("x" + i).observe(i / 7.0);
        }
        int size = Exposition.bytes(registry, Format.TEXT).length;
        assertThat(size).isGreaterThan(100_000);
        assertThat(perCall(200, () -> scrape(Format.TEXT))).isLessThan(size / 20.0);
    }

    private void scrape(Format format) {
        try {
            registry.scrape(format, OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private double perCall(Runnable call) {
        return perCall(CALLS, call);
    }

    /** Returns the bytes per call once warm: the minimum of a few measurements, because noise only adds. */
    private double perCall(int calls, Runnable call) {
        double best = Double.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                call.run();
            }
            best = Math.min(best, (threads.getCurrentThreadAllocatedBytes() - before) / (double) calls);
        }
        return best;
    }
}
