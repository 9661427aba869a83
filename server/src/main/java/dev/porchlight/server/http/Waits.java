// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.Patience;

/** Bounds how long a request may wait in all for what the service depends on. */
public final class Waits implements Middleware {
    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Patience.begin();
        try {
            next.proceed(exchange);
        } finally {
            Patience.end();
        }
    }
}
