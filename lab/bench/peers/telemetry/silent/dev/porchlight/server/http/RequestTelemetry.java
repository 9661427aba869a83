// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Logger;

/** No spans, no lines, no counts, no times. */
public final class RequestTelemetry implements Middleware {
    private final Logger logger;

    public RequestTelemetry(Observability observe, boolean cloud) {
        logger = observe.logger();
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Correlation.assign(exchange, logger);
        next.proceed(exchange);
    }
}
