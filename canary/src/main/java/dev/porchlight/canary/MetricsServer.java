// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.observe.http.TelemetryHandlers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Serves {@code /metrics}, and {@code /health}: 503 after a bad assertion was accepted. Thread-safe. */
final class MetricsServer implements AutoCloseable {
    private final HttpServer http;

    MetricsServer(String host, int port, TelemetryEndpoints endpoints, CanaryHealth health) throws IOException {
        http = HttpServer.create(new InetSocketAddress(host, port), 0);
        http.createContext("/metrics", new TelemetryHandlers(endpoints).metrics());
        http.createContext("/health", exchange -> {
            byte[] body = health.toJson().getBytes(StandardCharsets.UTF_8);
            send(exchange, health.ok() ? 200 : 503, "application/json", body);
        });
        http.start();
    }

    int port() {
        return http.getAddress().getPort();
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
