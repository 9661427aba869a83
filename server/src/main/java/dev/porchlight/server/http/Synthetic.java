// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;

/**
 * Tells the canary's requests from those of users, by a secret that this process made for itself and told nobody. A wrong one is
 * like none.
 */
public final class Synthetic implements Middleware {
    /** The header that holds the secret. */
    public static final String HEADER = "Porchlight-Canary";

    private final byte[] mark;

    public Synthetic(String mark) {
        this.mark = mark.getBytes(UTF_8);
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        String given = exchange.header(HEADER);
        if (given != null && MessageDigest.isEqual(given.getBytes(UTF_8), mark)) {
            exchange.markSynthetic();
        }
        next.proceed(exchange);
    }
}
