// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;

/** The access log, written with logback. */
public final class AccessLog implements Middleware {
    public AccessLog(boolean cloud) {}

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            next.proceed(exchange);
        } finally {
            SpanContext span = Span.current().getSpanContext();
            Stack.LOG.info(
                    exchange.endpoint().method().label() + " "
                            + exchange.endpoint().route() + " " + exchange.status(),
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
}
