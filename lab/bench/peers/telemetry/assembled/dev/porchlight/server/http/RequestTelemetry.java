// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Logger;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;

/**
 * Request spans, recorded with the OpenTelemetry SDK; the access log, written with logback; the count and duration of requests,
 * recorded with Micrometer.
 */
public final class RequestTelemetry implements Middleware {
    private static final TextMapGetter<Exchange> HEADERS = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Exchange exchange) {
            return List.of("traceparent", "tracestate");
        }

        @Override
        public String get(Exchange exchange, String key) {
            return exchange.header(key);
        }
    };

    private final Logger logger;

    public RequestTelemetry(Observability observe, boolean cloud) {
        logger = observe.logger();
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Correlation.assign(exchange, logger);
        String template = exchange.endpoint().template();
        Span span = Stack.TRACER
                .spanBuilder(template == null ? exchange.method() : exchange.method() + " " + template)
                .setParent(W3CTraceContextPropagator.getInstance().extract(Context.current(), exchange, HEADERS))
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", exchange.method())
                .setAttribute("url.scheme", exchange.scheme())
                .setAttribute("url.path", exchange.endpoint().route())
                .startSpan();
        span.setAttribute("server.address", exchange.serverName());
        span.setAttribute("server.port", exchange.serverPort());
        span.setAttribute("client.address", exchange.clientAddress());
        span.setAttribute("network.protocol.version", exchange.protocolVersion());
        span.setAttribute("user_agent.original", exchange.header("User-Agent"));
        try (Scope scope = span.makeCurrent()) {
            try {
                next.proceed(exchange);
            } finally {
                count(exchange, template);
                log(exchange, span.getSpanContext());
            }
        } finally {
            span.setAttribute("http.response.status_code", exchange.status());
            span.setAttribute("http.route", template);
            if (exchange.status() >= 500) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }

    private static void count(Exchange exchange, String template) {
        Stack.record(
                "http.server.requests",
                exchange.durationNanos(),
                "method",
                exchange.endpoint().method().label(),
                "route",
                template == null ? "unmatched" : template,
                "status",
                Integer.toString(exchange.status()));
    }

    private static void log(Exchange exchange, SpanContext span) {
        Stack.LOG.info(
                exchange.endpoint().method().label() + " " + exchange.endpoint().route() + " " + exchange.status(),
                keyValue("correlationId", exchange.correlationId()),
                keyValue("trace_id", span.getTraceId()),
                keyValue("span_id", span.getSpanId()),
                keyValue("method", exchange.endpoint().method().label()),
                keyValue("route", exchange.endpoint().route()),
                keyValue("status", exchange.status()),
                keyValue("durationMs", exchange.durationNanos() / 1e6),
                keyValue("bytes", exchange.bytesSent()),
                keyValue("client", exchange.clientAddress()));
    }
}
