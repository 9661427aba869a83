// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.http.TelemetryFilter;
import dev.porchlight.observe.http.TelemetryHandlers;
import dev.porchlight.observe.http.TracedHttpClient;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.JulHandler;
import dev.porchlight.observe.metrics.Counter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Orders take an item from the stock, which is another service: here, the same one. */
public final class Shop implements AutoCloseable {
    private final ExecutorService threads = Executors.newFixedThreadPool(16);
    private final Observability observe;
    private final TelemetryFilter telemetry;
    private final HttpClient client;
    private final Counter orders;
    private final HttpServer shop;
    private final HttpServer internal;

    private Shop(Map<String, String> environment) throws IOException {
        observe = Observability.open(ObservabilitySettings.fromEnvironment("shop", environment));
        JulHandler.install(observe.logger());
        telemetry = new TelemetryFilter(observe.http());
        client = new TracedHttpClient(HttpClient.newHttpClient(), observe.tracer());
        orders = observe.metrics()
                .counter("orders_total")
                .help("Orders, by result.")
                .labels("result")
                .register();
        observe.health().register("warehouse", () -> CheckResult.up());

        shop = server(Integer.parseInt(environment.getOrDefault("PORT", "8080")));
        handle("/orders", this::order);
        handle("/stock", exchange -> respond(exchange, 200, "7"));
        shop.start();

        internal = server(Integer.parseInt(environment.getOrDefault("INTERNAL_PORT", "9090"))); // not for the public
        new TelemetryHandlers(observe.endpoints().with(observe.page())).mount(internal);
        internal.start();
    }

    public static void main(String[] args) throws IOException {
        Shop shop = new Shop(System.getenv());
        Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
    }

    private HttpServer server(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(threads);
        return server;
    }

    private void handle(String path, HttpHandler handler) {
        shop.createContext(path, handler).getFilters().add(telemetry);
    }

    private void order(HttpExchange exchange) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + shop.getAddress().getPort() + "/stock"))
                    .build();
            String stock = client.send(request, BodyHandlers.ofString()).body();
            telemetry.request(exchange).logger().info("order accepted", Fields.of("stock", stock));
            orders.with("accepted").inc();
            respond(exchange, 201, "ordered");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            respond(exchange, 503, "shutting down");
        }
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        shop.stop(0);
        internal.stop(0);
        threads.shutdown();
        observe.close();
    }
}
