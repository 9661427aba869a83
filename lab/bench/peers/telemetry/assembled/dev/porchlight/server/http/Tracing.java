// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.trace.Propagation;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;

/** Request spans, recorded with the OpenTelemetry SDK. */
public final class Tracing implements Middleware {
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

    public Tracing(dev.porchlight.observe.trace.Tracer tracer, Propagation propagation) {}

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
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
            next.proceed(exchange);
        } finally {
            span.setAttribute("http.response.status_code", exchange.status());
            span.setAttribute("http.route", template);
            if (exchange.status() >= 500) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}
