// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** No lines. */
public final class AccessLog implements Middleware {
    public AccessLog(boolean cloud) {}

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        next.proceed(exchange);
    }
}
