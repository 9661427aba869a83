// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import static net.logstash.logback.argument.StructuredArguments.keyValue;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;

/** What a team writes with Micrometer, OpenTelemetry and logback to get what the middleware gives, without a route profile. */
final class PeerFilter extends Filter {
    private static final Duration[] BUCKETS = DoubleStream.of(LabelSets.BUCKETS)
            .mapToObj(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
            .toArray(Duration[]::new);
    private static final TextMapGetter<Headers> HEADERS = new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // but required
        public Iterable<String> keys(Headers carrier) {
            return carrier.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Headers carrier, String key) {
            return carrier == null ? null : carrier.getFirst(key);
        }
    };

    private final MeterRegistry meters;
    private final Tracer tracer;
    private final Logger logger;

    PeerFilter(MeterRegistry meters, Tracer tracer, Logger logger) {
        this.meters = meters;
        this.tracer = tracer;
        this.logger = logger;
    }

    @Override
    public String description() {
        return "Micrometer, OpenTelemetry and logback";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        long start = System.nanoTime();
        Headers headers = exchange.getRequestHeaders();
        String given = headers.getFirst("X-Correlation-ID");
        String id = given == null ? UUID.randomUUID().toString() : given;
        exchange.getResponseHeaders().set("X-Correlation-ID", id);
        String route = exchange.getHttpContext().getPath();
        Span span = tracer.spanBuilder(exchange.getRequestMethod() + " " + route)
                .setParent(W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS))
                .setSpanKind(SpanKind.SERVER)
                .startSpan()
                .setAttribute("http.request.method", exchange.getRequestMethod())
                .setAttribute("url.path", exchange.getRequestURI().getPath())
                .setAttribute("url.scheme", "http")
                .setAttribute("http.route", route)
                .setAttribute("server.address", "localhost")
                .setAttribute("server.port", exchange.getLocalAddress().getPort())
                .setAttribute("client.address", exchange.getRemoteAddress().getHostString())
                .setAttribute("user_agent.original", String.valueOf(headers.getFirst("User-Agent")));
        MDC.put("correlationId", id);
        MDC.put("trace_id", span.getSpanContext().getTraceId());
        MDC.put("span_id", span.getSpanContext().getSpanId());
        Scope scope = span.makeCurrent();
        try {
            chain.doFilter(exchange);
        } finally {
            scope.close();
            int status = exchange.getResponseCode();
            long nanos = System.nanoTime() - start;
            span.setAttribute("http.response.status_code", status).end();
            Timer.builder("http.server.requests")
                    .serviceLevelObjectives(BUCKETS)
                    .tag("method", exchange.getRequestMethod())
                    .tag("route", route)
                    .tag("status", Integer.toString(status))
                    .register(meters)
                    .record(Duration.ofNanos(nanos));
            logger.info(
                    "request",
                    keyValue("method", exchange.getRequestMethod()),
                    keyValue("route", route),
                    keyValue("status", status),
                    keyValue("durationMs", nanos / 1_000_000),
                    keyValue("client", exchange.getRemoteAddress().getHostString()));
            MDC.clear();
        }
    }
}
