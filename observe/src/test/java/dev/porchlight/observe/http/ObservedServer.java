// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An application on the JDK's server with telemetry, and a collector that keeps the JSON it receives. */
final class ObservedServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private final HttpServer collector = start();
    private final HttpServer server = start();
    final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    final Observability observe;
    final TelemetryFilter telemetry;
    final HttpClient client = HttpClient.newHttpClient();

    ObservedServer() {
        this(Map.of());
    }

    ObservedServer(Map<String, String> more) {
        collector.createContext("/v1/traces", exchange -> {
            traces.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        Map<String, String> environment = new java.util.HashMap<>(more);
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:" + port(collector));
        environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
        observe = Observability.open(ObservabilitySettings.fromEnvironment("shop", environment), LogWriter.to(lines));
        telemetry = new TelemetryFilter(observe.http());
    }

    private HttpServer start() {
        try {
            HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            started.setExecutor(threads);
            started.start();
            return started;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int port(HttpServer server) {
        return server.getAddress().getPort();
    }

    HttpServer server() {
        return server;
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + port(server) + path);
    }

    /** Mounts a handler with the filter. */
    void handle(String path, HttpHandler handler) {
        server.createContext(path, handler).getFilters().add(telemetry);
    }

    static void respond(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    String lines() {
        return lines.toString(UTF_8);
    }

    String metrics() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        observe.metrics().scrape(Format.TEXT, out);
        return out.toString(UTF_8);
    }

    /** The spans that ended so far, as JSON. */
    String spans() {
        observe.tracer().flush(java.time.Duration.ofSeconds(30));
        return String.join("\n", traces);
    }

    @Override
    public void close() {
        observe.close();
        server.stop(0);
        collector.stop(0);
        threads.shutdown();
    }
}
