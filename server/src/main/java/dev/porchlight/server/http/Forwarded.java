// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Determines the client address and scheme of requests that arrive through trusted proxies. This is the outermost
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
            readScheme(exchange);
        }
        exchange.clientAddress(clientOf(clients, exchange.clientAddress(), exchange.headers(FORWARDED_FOR)));
        next.proceed(exchange);
    }

    /** Returns the key for per-client limits, or null for a trusted proxy that does not name its client. */
    static @Nullable String limitKey(ClientAddresses clients, Request request) {
        List<String> forwarded = request.getHeaders().getValuesList(FORWARDED_FOR);
        String client = clientOf(clients, Requests.peerAddress(request), forwarded);
        return clients.trusts(client) ? null : ClientAddresses.limitKey(client);
    }

    private static String clientOf(ClientAddresses clients, String peer, List<String> forwarded) {
        return clients.clientOf(peer, forwarded.isEmpty() ? null : String.join(",", forwarded));
    }

    /** Uses the last of several values, which the trusted proxy added; the client may have sent the others. */
    private static void readScheme(Exchange exchange) {
        String[] values =
                String.join(",", exchange.headers("X-Forwarded-Proto")).split(",", -1);
        String scheme = values[values.length - 1].strip().toLowerCase(Locale.ROOT);
        if (scheme.equals("http") || scheme.equals("https")) {
            exchange.scheme(scheme);
        }
    }
}
