// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An OTLP collector that parses spans with the official classes and records their trace ids. */
public final class Collector implements AutoCloseable {
    final List<String> traceIds = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes())
                    .getResourceSpansList()
                    .forEach(resource -> resource.getScopeSpansList()
                            .forEach(scope -> scope.getSpansList()
                                    .forEach(span -> traceIds.add(HexFormat.of()
                                            .formatHex(span.getTraceId().toByteArray())))));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
