// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.trace.Attributes;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Starts a server span, sets five attributes, ends it. Both sides' batch workers encode what they take from their queues as OTLP
 * and send it to the same collector on this machine, which does nothing with it.
 */
@State(Scope.Thread)
public class SpanThroughQueue {
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");

    private SdkTracerProvider theirProvider = SdkTracerProvider.builder().build();
    private Tracer theirs = theirProvider.get("bench");

    /** Held here because a logger that nobody holds forgets its level. */
    private final Logger theirComplaints = Logger.getLogger("io.opentelemetry");

    private @Nullable HttpServer collector;
    private dev.porchlight.observe.trace.Tracer ours = dev.porchlight.observe.trace.Tracer.off();

    @Setup
    public void startCollector() throws IOException {
        theirComplaints.setLevel(Level.OFF); // a full queue is expected here, on both sides
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        collector = server;
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint + "/v1/traces")
                .build();
        theirProvider = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
        theirs = theirProvider.get("bench");
        var environment = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
        ours = dev.porchlight.observe.trace.Tracer.open(environment, event -> {});
    }

    @TearDown
    public void stopCollector() {
        ours.close();
        theirProvider.close();
        if (collector != null) {
            collector.stop(0);
        }
    }

    @Benchmark
    public void ours() {
        ours.start("GET /x", Attributes.none(), dev.porchlight.observe.trace.SpanKind.SERVER)
                .set("http.request.method", "GET")
                .set("url.path", "/x")
                .set("url.scheme", "http")
                .set("http.route", "/x")
                .set("http.response.status_code", 200L)
                .end();
    }

    @Benchmark
    public void openTelemetry() {
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
}
