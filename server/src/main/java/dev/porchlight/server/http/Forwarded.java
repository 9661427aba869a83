// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import java.util.Locale;

/**
 * Finds out whom a request comes from, and over http or https, when proxies that are trusted stand between. The outermost
 * middleware.
 */
public final class Forwarded implements Middleware {
    private final ClientAddresses clients;

    public Forwarded(ClientAddresses clients) {
        this.clients = clients;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        if (clients.trusts(exchange.clientAddress())) {
            takeScheme(exchange);
        }
        String forwarded = String.join(",", exchange.headers("X-Forwarded-For"));
        exchange.clientAddress(clients.clientOf(exchange.clientAddress(), forwarded.isEmpty() ? null : forwarded));
        next.proceed(exchange);
    }

    /** Of several words the last counts: it is that of the proxy we know, and the others may be anybody's. */
    private static void takeScheme(Exchange exchange) {
        String[] words = String.join(",", exchange.headers("X-Forwarded-Proto")).split(",", -1);
        String word = words[words.length - 1].strip().toLowerCase(Locale.ROOT);
        if (word.equals("http") || word.equals("https")) {
            exchange.scheme(word);
        }
    }
}
