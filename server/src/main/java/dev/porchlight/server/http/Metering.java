// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.trace.SpanContext;
import java.util.function.Function;

/** Counts and times every request under its route's template, in the metrics and in the route profiles. */
public final class Metering implements Middleware {
    private final Function<Endpoint, Endpoint.Meters> bind;

    public Metering(HttpMetrics metrics, RouteProfiler profiler) {
        bind = endpoint -> new Endpoint.Meters(
                metrics.route(endpoint.method().label(), endpoint.template()),
                profiler.recorder(endpoint.method().label() + " " + endpoint.route()));
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            next.proceed(exchange);
        } finally {
            Endpoint.Meters meters = exchange.endpoint().meters(bind);
            long nanos = exchange.durationNanos();
            SpanContext span = exchange.span().context();
            // A remote span is recorded elsewhere, if at all.
            meters.metrics().record(exchange.status(), nanos, span.remote() ? SpanContext.NONE : span);
            meters.profile().record(nanos, exchange.endNanos());
        }
    }
}
