// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.TraceSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Starts a server span, sets five attributes, ends it. The batch workers of both sides encode spans as OTLP
 * in Protocol Buffers and send them to the same local collector, which discards them.
 *
 * <p>Spans come in bursts of half a queue, and each burst waits, outside the measured time, until the previous burst has been
 * sent: a loop without a pause would outrun both workers and measure how fast each side drops spans. A run with a
 * dropped span fails.
 */
@State(Scope.Thread)
public class SpanThroughQueue {
    private static final int BURST = 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");

    private final AtomicLong theirExported = new AtomicLong();
    private SdkTracerProvider theirProvider = SdkTracerProvider.builder().build();
    private Tracer theirs = theirProvider.get("bench");
    private long theirEnded;

    private @Nullable DiscardingCollector collector;
    private dev.porchlight.observe.trace.Tracer ours = dev.porchlight.observe.trace.Tracer.off();

    @Setup
    public void startCollector() throws IOException {
        var started = new DiscardingCollector();
        collector = started;
        String endpoint = started.endpoint();
        var exporter = new CountingExporter(
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint + "/v1/traces")
                        .build(),
                theirExported);
        theirProvider = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
        theirs = theirProvider.get("bench");
        var environment = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
        ours = dev.porchlight.observe.trace.Tracer.open(
                TraceSettings.fromEnvironment("bench", environment, (variable, problem) -> {}), event -> {});
    }

    /** Waits until all spans are sent. The SDK's flush returns early while another flush is running, so it is repeated. */
    @Setup(Level.Invocation)
    public void awaitExport() {
        if (!ours.flush(TIMEOUT) || ours.stats().dropped() > 0) {
            throw new IllegalStateException(ours.stats().dropped() + " of our spans were dropped");
        }
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (theirExported.get() < theirEnded && System.nanoTime() < deadline) {
            theirProvider.forceFlush().join(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        if (theirExported.get() != theirEnded) {
            throw new IllegalStateException((theirEnded - theirExported.get()) + " of their spans were dropped");
        }
    }

    @TearDown
    public void stopCollector() {
        awaitExport();
        ours.close();
        theirProvider.close();
        if (collector != null) {
            collector.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void ours() {
        for (int i = 0; i < BURST; i++) {
            ours.start("GET /x", Attributes.none(), dev.porchlight.observe.trace.SpanKind.SERVER)
                    .set("http.request.method", "GET")
                    .set("url.path", "/x")
                    .set("url.scheme", "http")
                    .set("http.route", "/x")
                    .set("http.response.status_code", 200L)
                    .end();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void openTelemetry() {
        for (int i = 0; i < BURST; i++) {
            theirs.spanBuilder("GET /x")
                    .setSpanKind(SpanKind.SERVER)
                    .startSpan()
                    .setAttribute(METHOD, "GET")
                    .setAttribute(PATH, "/x")
                    .setAttribute(SCHEME, "http")
                    .setAttribute(ROUTE, "/x")
                    .setAttribute(STATUS, 200L)
                    .end();
        }
        theirEnded += BURST;
    }

    /** Counts the exported spans. */
    private record CountingExporter(SpanExporter to, AtomicLong exported) implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int size = spans.size(); // the collection is reused
            CompletableResultCode result = to.export(spans);
            result.whenComplete(() -> exported.addAndGet(result.isSuccess() ? size : 0));
            return result;
        }

        @Override
        public CompletableResultCode flush() {
            return to.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return to.shutdown();
        }
    }
}
