// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.List;

/** The middleware in a row, outermost first, and behind it the endpoint's handler. */
final class Pipeline {
    private final Middleware.Next first;

    Pipeline(List<Middleware> middleware) {
        Middleware.Next next =
                exchange -> exchange.send(exchange.endpoint().handler().handle(exchange));
        for (int i = middleware.size() - 1; i >= 0; i--) {
            next = join(middleware.get(i), next);
        }
        first = next;
    }

    void run(Exchange exchange) throws Exception {
        first.proceed(exchange);
    }

    private static Middleware.Next join(Middleware middleware, Middleware.Next next) {
        return exchange -> middleware.around(exchange, next);
    }
}
