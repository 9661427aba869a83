// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteProfiler;

/** The count and duration of requests, recorded with Micrometer. */
public final class Metering implements Middleware {
    public Metering(HttpMetrics metrics, RouteProfiler profiler) {}

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            next.proceed(exchange);
        } finally {
            String template = exchange.endpoint().template();
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
    }
}
