// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.List;

/** Wraps every request, whatever its endpoint. Implementations are thread-safe. */
@FunctionalInterface
public interface Middleware {
    /** Runs before and after {@code next}, which returns once the response has been sent. */
    void around(Exchange exchange, Next next) throws Exception;

    /** The rest of the chain. */
    @FunctionalInterface
    interface Next {
        void proceed(Exchange exchange) throws Exception;
    }

    /** Middleware, outermost first, followed by the endpoint's handler. */
    static Next chain(List<Middleware> all) {
        if (all.isEmpty()) {
            return exchange -> exchange.send(exchange.endpoint().handler().handle(exchange));
        }
        Middleware first = all.get(0);
        Next rest = chain(all.subList(1, all.size()));
        return exchange -> first.around(exchange, rest);
    }
}
