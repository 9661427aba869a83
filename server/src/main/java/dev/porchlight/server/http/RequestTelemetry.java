// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.http.HttpRoute;
import dev.porchlight.observe.http.HttpTelemetry;
import dev.porchlight.observe.http.ObservedRequest;
import dev.porchlight.observe.trace.Scope;

/** The telemetry of every request, under its endpoint's template. */
public final class RequestTelemetry implements Middleware {
    private final HttpTelemetry telemetry;

    public RequestTelemetry(HttpTelemetry telemetry) {
        this.telemetry = telemetry;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        HttpRoute route = exchange.endpoint().route(telemetry);
        ObservedRequest observed = telemetry.begin(exchange, route);
        exchange.observed(observed);
        Scope scope = observed.makeCurrent();
        try {
            next.proceed(exchange);
        } finally {
            try {
                observed.end(
                        route,
                        exchange.status(),
                        exchange.bytesSent(),
                        exchange.durationNanos(),
                        exchange.endNanos(),
                        exchange.failure());
            } finally {
                scope.close();
            }
        }
    }
}
