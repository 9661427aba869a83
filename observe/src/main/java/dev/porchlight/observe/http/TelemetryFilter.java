// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.trace.Scope;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes the requests of a {@code com.sun.net.httpserver} context, whose path is the route. Thread-safe.
 *
 * <pre>{@code
 * TelemetryFilter telemetry = new TelemetryFilter(observe.http());
 * HttpContext orders = server.createContext("/orders", exchange -> {
 *     telemetry.request(exchange).logger().info("listing orders");
 *     ...
 * });
 * orders.getFilters().add(telemetry);
 * }</pre>
 *
 * <p>A handler that throws before it has responded is responded to with 500. A request ends when its handler returns, or, if the handler has sent no response until then, when the response ends.
 */
public final class TelemetryFilter extends Filter {
    private static final String USER_AGENT = "User-Agent";

    private final HttpTelemetry telemetry;

    /**
     * The open requests. They are not attributes of the exchanges, because exchanges of one context share these, and are held by
     * their exchange's stream only: a handler may close its exchange without a response, of which nothing notifies a filter.
     */
    private final Map<HttpExchange, WeakReference<ObservedRequest>> open =
            Collections.synchronizedMap(new WeakHashMap<>());

    public TelemetryFilter(HttpTelemetry telemetry) {
        this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
    }

    /**
     * Returns the correlation id, logger and span of a request.
     *
     * @throws IllegalStateException if the request has ended or its context does not have this filter
     */
    public ObservedRequest request(HttpExchange exchange) {
        WeakReference<ObservedRequest> held = open.get(exchange);
        ObservedRequest request = held == null ? null : held.get();
        if (request == null) {
            throw new IllegalStateException("the request has ended, or its context does not have this filter");
        }
        return request;
    }

    @Override
    public String description() {
        return "logs, metrics, traces and profiles of requests";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        Request request = new Request(exchange);
        ObservedRequest observed = telemetry.begin(request, telemetry.route(request.method(), request.template()));
        exchange.getResponseHeaders().set(CorrelationId.HEADER, observed.correlationId());
        Response response = new Response(request, observed);
        exchange.setStreams(null, response);
        open.put(exchange, new WeakReference<>(observed));
        Scope scope = observed.makeCurrent();
        try {
            chain.doFilter(exchange);
            if (exchange.getResponseCode() != -1) {
                response.end(null);
            }
        } catch (Throwable failure) { // an Error also needs a count and a log line
            if (response.status(failure) != ObservedRequest.CLIENT_CLOSED_REQUEST) {
                observed.logger().error("request failed", failure, Fields.of("route", request.template()));
            }
            response.end(failure);
            respond(exchange, failure);
            throw failure;
        } finally {
            scope.close();
        }
    }

    /** Responds for a handler that threw before it did: some JDKs would leave the client waiting. */
    private static void respond(HttpExchange exchange, Throwable failure) {
        if (exchange.getResponseCode() == -1) {
            try (exchange) {
                exchange.sendResponseHeaders(500, -1);
            } catch (IOException gone) {
                failure.addSuppressed(gone);
            }
        }
    }

    /** Counts the bytes of the response, and notices its end. */
    private final class Response extends FilterOutputStream {
        private final Request request;
        private final ObservedRequest observed;

        Response(Request request, ObservedRequest observed) {
            super(request.exchange().getResponseBody());
            this.request = request;
            this.observed = observed;
        }

        @Override
        public void write(int oneByte) throws IOException {
            out.write(oneByte);
            observed.sent(1);
        }

        @Override
        public void write(byte[] source, int from, int count) throws IOException {
            out.write(source, from, count);
            observed.sent(count);
        }

        @Override
        public void close() throws IOException {
            out.close();
            end(null);
        }

        void end(@Nullable Throwable failure) {
            if (open.remove(request.exchange()) != null) {
                observed.end(request.template(), status(failure), failure);
            }
        }

        private int status(@Nullable Throwable failure) {
            int sent = request.exchange().getResponseCode();
            if (failure == null) {
                return sent;
            }
            return failure instanceof IOException && sent != -1 ? ObservedRequest.CLIENT_CLOSED_REQUEST : 500;
        }
    }

    /** Keeps what is read twice: the JDK renders an address, and copies a header's name, at each call. */
    private static final class Request implements HttpServerRequest {
        private final HttpExchange exchange;
        private final @Nullable String userAgent;
        private @Nullable String clientAddress;

        Request(HttpExchange exchange) {
            this.exchange = exchange;
            this.userAgent = exchange.getRequestHeaders().getFirst(USER_AGENT);
        }

        HttpExchange exchange() {
            return exchange;
        }

        String template() {
            return exchange.getHttpContext().getPath();
        }

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String tracedPath() {
            return exchange.getRequestURI().getPath();
        }

        @Override
        public String scheme() {
            return exchange instanceof HttpsExchange ? "https" : "http";
        }

        @Override
        public List<String> headers(String name) {
            List<String> values = exchange.getRequestHeaders().get(name);
            return values == null ? List.of() : values;
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals(USER_AGENT)
                    ? userAgent
                    : exchange.getRequestHeaders().getFirst(name);
        }

        @Override
        public String serverName() {
            String host = header("Host");
            if (host == null) {
                return exchange.getLocalAddress().getHostString();
            }
            int port = host.lastIndexOf(':');
            return port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        }

        @Override
        public int serverPort() {
            return exchange.getLocalAddress().getPort();
        }

        @Override
        public String clientAddress() {
            String known = clientAddress;
            if (known == null) {
                known = exchange.getRemoteAddress().getAddress().getHostAddress();
                clientAddress = known;
            }
            return known;
        }

        @Override
        public String protocolVersion() {
            String protocol = exchange.getProtocol();
            return protocol.equals("HTTP/1.1") ? "1.1" : protocol.substring(protocol.indexOf('/') + 1);
        }
    }
}
