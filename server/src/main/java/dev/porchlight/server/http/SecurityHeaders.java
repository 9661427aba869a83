// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** Sets the headers of every response by which browsers restrict its use. */
public final class SecurityHeaders implements Middleware {
    private final boolean https;

    /** Over https browsers are told to stay there. */
    public SecurityHeaders(boolean https) {
        this.https = https;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        exchange.responseHeader("X-Content-Type-Options", "nosniff");
        exchange.responseHeader("Referrer-Policy", "no-referrer");
        exchange.responseHeader("Cross-Origin-Resource-Policy", "same-origin");
        exchange.responseHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        if (https) {
            exchange.responseHeader("Strict-Transport-Security", "max-age=31536000");
        }
        if (exchange.endpoint().access().guarded()) {
            exchange.responseHeader("Cache-Control", "no-store");
        }
        next.proceed(exchange);
    }
}
