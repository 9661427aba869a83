// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** A collector that keeps every received span and log line, and the text of all metrics. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<LogRecord> logs = new CopyOnWriteArrayList<>();
    private final List<Metric> metrics = new CopyOnWriteArrayList<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/v1/traces",
                exchange -> take(
                        exchange,
                        body -> ExportTraceServiceRequest.parseFrom(body)
                                .getResourceSpansList()
                                .forEach(resource -> resource.getScopeSpansList()
                                        .forEach(scope -> spans.addAll(scope.getSpansList())))));
        server.createContext(
                "/v1/logs",
                exchange -> take(
                        exchange,
                        body -> ExportLogsServiceRequest.parseFrom(body)
                                .getResourceLogsList()
                                .forEach(resource -> resource.getScopeLogsList()
                                        .forEach(scope -> logs.addAll(scope.getLogRecordsList())))));
        server.createContext(
                "/v1/metrics",
                exchange -> take(
                        exchange,
                        body -> ExportMetricsServiceRequest.parseFrom(body)
                                .getResourceMetricsList()
                                .forEach(resource -> resource.getScopeMetricsList()
                                        .forEach(scope -> metrics.addAll(scope.getMetricsList())))));
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    List<LogRecord> logs() {
        return List.copyOf(logs);
    }

    List<Metric> metrics() {
        return List.copyOf(metrics);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private interface Reader {
        void read(InputStream body) throws IOException;
    }

    private static void take(HttpExchange exchange, Reader reader) throws IOException {
        try (exchange) {
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            reader.read(gzip ? new GZIPInputStream(body) : body);
            exchange.sendResponseHeaders(200, -1);
        }
    }
}
