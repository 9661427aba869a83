// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Set;

/**
 * Lets the pages of the relying party's other origins use the auth routes and load the browser helper (CORS). To everybody
 * else no answer says anything, so that browsers show it to no page but the service's own.
 */
public final class CrossOrigin implements Middleware {
    private static final String METHODS = "GET, POST, PATCH, DELETE";
    private static final String REQUEST_HEADERS = "content-type, authorization, traceparent, x-correlation-id";
    private static final String ANSWER_HEADERS = "retry-after, x-correlation-id";
    private static final String PREFLIGHT_SECONDS = "600";

    private final Set<String> origins;

    /** Middleware that shares with the pages of these origins. */
    public CrossOrigin(Set<String> origins) {
        this.origins = Set.copyOf(origins);
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        if (!isShared(exchange.endpoint().route())) {
            next.proceed(exchange);
            return;
        }
        exchange.responseHeader("Vary", "Origin"); // no cache may hand one origin's answer to another
        String origin = exchange.header("Origin");
        if (origin == null || !origins.contains(origin) || isOwn(origin, exchange)) {
            next.proceed(exchange);
            return;
        }
        exchange.responseHeader("Access-Control-Allow-Origin", origin);
        exchange.responseHeader("Access-Control-Allow-Credentials", "true");
        if (isPreflight(exchange)) {
            exchange.send(Answer.of(204)
                    .with("Access-Control-Allow-Methods", METHODS)
                    .with("Access-Control-Allow-Headers", REQUEST_HEADERS)
                    .with("Access-Control-Max-Age", PREFLIGHT_SECONDS));
        } else {
            exchange.responseHeader("Access-Control-Expose-Headers", ANSWER_HEADERS);
            next.proceed(exchange);
        }
    }

    private static boolean isShared(String route) {
        return route.startsWith("/auth/") || route.equals("/porchlight.js");
    }

    /** Whether the page came from where its request goes. */
    static boolean isOwn(String origin, Exchange exchange) {
        String host = exchange.header("Host");
        return host != null && origin.equals(exchange.scheme() + "://" + host);
    }

    private static boolean isPreflight(Exchange exchange) {
        return exchange.endpoint().method() == Method.OPTIONS
                && exchange.header("Access-Control-Request-Method") != null;
    }
}
