// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The telemetry of every request, under its route's template: a span that continues the caller's trace, a correlation id that the
 * response echoes, a log line after the response, a count and a duration. Log lines contain no path: queries and path parameters
 * contain user ids, and an unmatched path may contain anything, such as a mistyped link with its secret.
 */
public final class RequestTelemetry implements Middleware {
    private final Logger logger;
    private final Tracer tracer;
    private final Propagation propagation;
    private final Function<Endpoint, Endpoint.Meters> meters;
    private final boolean cloud;

    /** Creates the middleware; with {@code cloud}, each log line has the {@code httpRequest} field of Google Cloud Logging. */
    public RequestTelemetry(Observability observe, boolean cloud) {
        logger = observe.logger();
        tracer = observe.tracer();
        propagation = observe.settings().tracing().propagation();
        HttpMetrics metrics = observe.automatic().http();
        RouteProfiler profiler = observe.profiler();
        meters = endpoint -> new Endpoint.Meters(
                metrics.route(endpoint.method().label(), endpoint.template()),
                profiler.recorder(endpoint.method().label() + " " + endpoint.route()));
        this.cloud = cloud;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Correlation.assign(exchange, logger);
        Span span = start(exchange);
        exchange.span(span);
        Scope scope = span.makeCurrent();
        try {
            next.proceed(exchange);
        } finally {
            try {
                count(exchange);
                log(exchange);
            } finally {
                scope.close();
                HttpServerSpans.end(
                        span, exchange.method(), exchange.endpoint().template(), exchange.status(), exchange.failure());
            }
        }
    }

    private Span start(Exchange exchange) {
        SpanContext parent = propagation.extract(exchange::headers);
        Span span = tracer.start(
                HttpServerSpans.name(exchange.method(), exchange.endpoint().template()),
                HttpServerSpans.request(
                        exchange.method(),
                        exchange.scheme(),
                        exchange.endpoint().route()),
                parent,
                SpanKind.SERVER);
        if (span.recording()) {
            span.set("server.address", exchange.serverName())
                    .set("server.port", exchange.serverPort())
                    .set("client.address", exchange.clientAddress())
                    .set("network.protocol.version", exchange.protocolVersion())
                    .set("user_agent.original", exchange.header("User-Agent"));
            if (parent != null && parent.valid()) {
                span.set("porchlight.trace.claimed", true); // the caller chose the trace id
            }
        }
        return span;
    }

    private void count(Exchange exchange) {
        Endpoint.Meters bound = exchange.endpoint().meters(meters);
        long nanos = exchange.durationNanos();
        SpanContext span = exchange.span().context();
        // A remote span is recorded elsewhere, if at all.
        bound.metrics().record(exchange.status(), nanos, span.remote() ? SpanContext.NONE : span);
        bound.profile().record(nanos, exchange.endNanos());
    }

    private void log(Exchange exchange) {
        if (!exchange.logger().isEnabled(Level.INFO)) {
            return;
        }
        String method = exchange.endpoint().method().label();
        String route = exchange.endpoint().route();
        Fields fields = new Fields()
                .put("method", method)
                .put("route", route)
                .put("status", exchange.status())
                .put("durationMs", exchange.durationNanos() / 1e6)
                .put("bytes", exchange.bytesSent())
                .put("client", exchange.clientAddress());
        String userAgent = exchange.header("User-Agent");
        if (userAgent != null) {
            fields.put("userAgent", userAgent);
        }
        if (cloud) {
            Map<String, @Nullable Object> request = new LinkedHashMap<>();
            request.put("requestMethod", method);
            request.put("requestUrl", route);
            request.put("status", exchange.status());
            request.put("responseSize", exchange.bytesSent());
            request.put("userAgent", userAgent);
            request.put("remoteIp", exchange.clientAddress());
            request.put("latency", exchange.durationNanos() / 1e9);
            request.put("protocol", "HTTP/" + exchange.protocolVersion());
            fields.put("httpRequest", request);
        }
        exchange.logger().info(method + " " + route + " " + exchange.status(), fields);
    }
}
