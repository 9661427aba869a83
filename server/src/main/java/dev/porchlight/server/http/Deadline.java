// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.RequestDeadline;
import java.time.Duration;

/** Limits the time that each request may wait for databases and other dependencies. */
public record Deadline(Duration limit) implements Middleware {
    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        RequestDeadline.begin(limit);
        try {
            next.proceed(exchange);
        } finally {
            RequestDeadline.end();
        }
    }
}
