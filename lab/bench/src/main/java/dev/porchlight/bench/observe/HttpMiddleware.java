// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpHandler;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.http.TelemetryFilter;
import dev.porchlight.observe.log.LogWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A handler of the JDK's HTTP server that returns "hello", with everything recorded: correlation id, span in the caller's
 * trace, counter and histogram, an access line in JSON. Both sides send their spans to the same local collector and write
 * lines to a stream that discards them. The requests are in memory.
 *
 * <p>Requests come in bursts of half a queue; each burst waits, outside the measured time, for the spans of the one before.
 */
@State(Scope.Thread)
public class HttpMiddleware {
    private static final int BURST = 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final HttpHandler HANDLER = exchange -> {
        exchange.sendResponseHeaders(200, HELLO.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(HELLO);
        }
    };

    private final MemoryExchange.Context context = new MemoryExchange.Context();
    private @Nullable DiscardingCollector collector;
    private @Nullable Observability observe;
    private @Nullable SdkTracerProvider provider;
    private List<Filter> ours = List.of();
    private List<Filter> theirs = List.of();

    @Setup
    public void start() throws IOException {
        var started = new DiscardingCollector();
        collector = started;
        var signals = Observability.open(
                ObservabilitySettings.fromEnvironment(
                        "bench", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", started.endpoint())),
                LogWriter.to(OutputStream.nullOutputStream()));
        observe = signals;
        ours = List.of(new TelemetryFilter(signals.http()));
        var spans = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(started.endpoint() + "/v1/traces")
                                .build())
                        .build())
                .build();
        provider = spans;
        theirs = List.of(new PeerFilter(
                new SimpleMeterRegistry(), spans.get("bench"), LogLine.logback(OutputStream.nullOutputStream())));
    }

    @Setup(Level.Invocation)
    public void awaitExport() {
        if (observe == null
                || !observe.tracer().flush(TIMEOUT)
                || observe.tracer().stats().dropped() > 0) {
            throw new IllegalStateException("our spans were dropped");
        }
        if (provider != null) {
            provider.forceFlush().join(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @TearDown
    public void stop() {
        if (observe != null) {
            observe.close();
        }
        if (provider != null) {
            provider.close();
        }
        if (collector != null) {
            collector.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void none() throws IOException {
        run(List.of());
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void micrometer() throws IOException {
        run(theirs);
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void ours() throws IOException {
        run(ours);
    }

    private void run(List<Filter> filters) throws IOException {
        for (int i = 0; i < BURST; i++) {
            new Filter.Chain(filters, HANDLER).doFilter(new MemoryExchange(context));
        }
    }
}
