// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whom a request comes from, and over http or https, when proxies that are trusted stand between. The outermost
 * middleware.
 */
public final class Forwarded implements Middleware {
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private final ClientAddresses clients;

    public Forwarded(ClientAddresses clients) {
        this.clients = clients;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        if (clients.trusts(exchange.clientAddress())) {
            takeScheme(exchange);
        }
        exchange.clientAddress(clientOf(clients, exchange.clientAddress(), exchange.headers(FORWARDED_FOR)));
        next.proceed(exchange);
    }

    /** What shares are counted by: the client, or null for a trusted proxy that does not name its client. */
    static @Nullable String limitKey(ClientAddresses clients, Request request) {
        List<String> forwarded = request.getHeaders().getValuesList(FORWARDED_FOR);
        String client = clientOf(clients, Requests.peerAddress(request), forwarded);
        return clients.trusts(client) ? null : ClientAddresses.limitKey(client);
    }

    private static String clientOf(ClientAddresses clients, String peer, List<String> forwarded) {
        return clients.clientOf(peer, forwarded.isEmpty() ? null : String.join(",", forwarded));
    }

    /** The last of several values counts: the trusted proxy added it, and a client may have sent the others. */
    private static void takeScheme(Exchange exchange) {
        String[] words = String.join(",", exchange.headers("X-Forwarded-Proto")).split(",", -1);
        String word = words[words.length - 1].strip().toLowerCase(Locale.ROOT);
        if (word.equals("http") || word.equals("https")) {
            exchange.scheme(word);
        }
    }
}
