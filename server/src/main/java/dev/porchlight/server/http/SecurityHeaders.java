// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** Sets security headers on every response. */
public final class SecurityHeaders implements Middleware {
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";
    private final boolean https;

    /** Creates the middleware; with https it also sends {@code Strict-Transport-Security}. */
    public SecurityHeaders(boolean https) {
        this.https = https;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        exchange.responseHeader("X-Content-Type-Options", "nosniff");
        exchange.responseHeader("Referrer-Policy", "no-referrer");
        exchange.responseHeader("Cross-Origin-Resource-Policy", "same-origin");
        exchange.responseHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
        if (https) {
            exchange.responseHeader("Strict-Transport-Security", "max-age=31536000");
        }
        if (exchange.endpoint().access().guarded()) {
            exchange.responseHeader("Cache-Control", "no-store");
        }
        next.proceed(exchange);
    }
}
