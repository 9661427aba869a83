// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The endpoints for scrapers and probes as handlers of the JDK's server, to mount together or apart. Thread-safe. */
public final class TelemetryHandlers {
    private final TelemetryEndpoints endpoints;

    public TelemetryHandlers(TelemetryEndpoints endpoints) {
        this.endpoints = Objects.requireNonNull(endpoints, "endpoints");
    }

    /** Mounts {@code /metrics}, {@code /health/live}, {@code /health/ready}, {@code /profile}, and the page if there is one. */
    public void mount(HttpServer server) {
        mount(server, "");
    }

    /** Mounts them with a prefix, such as {@code /internal}. */
    public void mount(HttpServer server, String prefix) {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(prefix, "prefix");
        server.createContext(prefix + "/metrics", metrics());
        server.createContext(prefix + "/health/live", live());
        server.createContext(prefix + "/health/ready", ready());
        server.createContext(prefix + "/profile", profile());
        if (endpoints.hasPage()) {
            server.createContext(prefix + "/observe/", page());
        }
    }

    public HttpHandler metrics() {
        return handler(exchange -> endpoints.metrics(joined(exchange, "Accept"), joined(exchange, "Accept-Encoding")));
    }

    public HttpHandler live() {
        return handler(exchange -> endpoints.live());
    }

    public HttpHandler ready() {
        return handler(exchange -> endpoints.ready());
    }

    public HttpHandler profile() {
        return handler(exchange -> endpoints.profile());
    }

    /** The page, for a context whose path ends with a slash. */
    public HttpHandler page() {
        return handler(
                exchange -> endpoints.page(path(exchange)
                        .substring(exchange.getHttpContext().getPath().length())),
                false);
    }

    private interface Endpoint {
        EndpointResponse respond(HttpExchange exchange) throws IOException;
    }

    /** Responds to GET and HEAD of exactly the context's path; a context also gets the requests for longer paths. */
    private static HttpHandler handler(Endpoint endpoint) {
        return handler(endpoint, true);
    }

    private static HttpHandler handler(Endpoint endpoint, boolean exact) {
        return exchange -> {
            try (exchange) {
                String method = exchange.getRequestMethod();
                boolean head = method.equals("HEAD");
                if (exact && !exchange.getHttpContext().getPath().equals(path(exchange))) {
                    exchange.sendResponseHeaders(404, -1);
                } else if (!head && !method.equals("GET")) {
                    exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                    exchange.sendResponseHeaders(405, -1);
                } else {
                    send(exchange, endpoint.respond(exchange), head);
                }
            }
        };
    }

    private static String path(HttpExchange exchange) {
        return exchange.getRequestURI().getPath();
    }

    private static void send(HttpExchange exchange, EndpointResponse response, boolean head) throws IOException {
        response.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(response.body().length));
            exchange.sendResponseHeaders(response.status(), -1);
        } else {
            exchange.sendResponseHeaders(response.status(), response.body().length);
            exchange.getResponseBody().write(response.body());
        }
    }

    private static @Nullable String joined(HttpExchange exchange, String name) {
        List<String> values = exchange.getRequestHeaders().get(name);
        return values == null ? null : String.join(", ", values);
    }
}
