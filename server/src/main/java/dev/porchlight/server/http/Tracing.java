// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.trace.HttpServerSpans;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;

/** Starts a span for every request, continues the caller's trace, and makes the span current while the request is handled. */
public final class Tracing implements Middleware {
    private final Tracer tracer;
    private final Propagation propagation;

    public Tracing(Tracer tracer, Propagation propagation) {
        this.tracer = tracer;
        this.propagation = propagation;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Span span = start(exchange);
        exchange.span(span);
        Scope scope = span.makeCurrent();
        try {
            next.proceed(exchange);
        } finally {
            scope.close();
            HttpServerSpans.end(
                    span, exchange.method(), exchange.endpoint().template(), exchange.status(), exchange.failure());
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
}
