// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;

/** Finds out whom a request comes from when proxies that are trusted stand between. The outermost middleware. */
public final class Forwarded implements Middleware {
    private final ClientAddresses clients;

    public Forwarded(ClientAddresses clients) {
        this.clients = clients;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        String forwarded = String.join(",", exchange.headers("X-Forwarded-For"));
        exchange.clientAddress(clients.clientOf(exchange.clientAddress(), forwarded.isEmpty() ? null : forwarded));
        next.proceed(exchange);
    }
}
