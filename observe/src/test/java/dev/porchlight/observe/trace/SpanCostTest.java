// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpanCostTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SPANS = 10_000;

    @Test
    void a_span_with_five_attributes_allocates_less_than_300_bytes() {
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "3600000"), new RecordingSender())) {
            assertThat(bytesPerSpan(tracer)).isLessThan(300);
        }
    }

    @Test
    void spans_allocate_nothing_when_tracing_is_off() {
        assertThat(bytesPerSpan(Tracer.off())).isLessThan(1);
    }

    private static long bytesPerSpan(Tracer tracer) {
        boolean measured = THREADS.isThreadAllocatedMemorySupported();
        if (!measured) {
            System.err.println("Skipped: this JVM does not measure allocation per thread");
        }
        assumeTrue(measured, "this JVM does not measure allocation per thread");
        long thread = Thread.currentThread().getId();
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 10; attempt++) { // JIT compilation may take a few rounds
            long before = THREADS.getThreadAllocatedBytes(thread);
            spans(tracer);
            best = Math.min(best, (THREADS.getThreadAllocatedBytes(thread) - before) / SPANS);
        }
        return best;
    }

    private static void spans(Tracer tracer) {
        for (int i = 0; i < SPANS; i++) {
            Span span = tracer.start("GET /users/{id}");
            span.set("http.request.method", "GET").set("url.path", "/users/7").set("http.route", "/users/{id}");
            span.set("http.response.status_code", 200).set("cached", true);
            span.end();
        }
    }
}
