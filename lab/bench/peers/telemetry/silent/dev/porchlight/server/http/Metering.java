// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteProfiler;

/** No counts, no times. */
public final class Metering implements Middleware {
    public Metering(HttpMetrics metrics, RouteProfiler profiler) {}

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        next.proceed(exchange);
    }
}
