// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to URLs that operators configured, and reads only the status of responses. Redirects are not followed, so
 * that a target cannot choose another one. Addresses of this machine are refused unless the URL names it, and so are
 * link-local ones, where clouds have their credentials. Private networks are allowed, because applications are there.
 * Thread-safe.
 */
public final class OutboundRequests implements AutoCloseable {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int MAX_URL = 2_000;
    private static final int LOOKUPS = 4;

    private final Duration timeout;
    private final ExecutorService lookups = Executors.newFixedThreadPool(LOOKUPS, task -> {
        Thread thread = new Thread(task, "porchlight-outbound");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable HttpClient http; // most services never need it

    /** The timeout is to connect, and again for the headers of a response; a whole exchange may take twice as long. */
    public OutboundRequests(Duration timeout) {
        this.timeout = timeout;
    }

    /** Why a URL cannot be a target, or nothing if it can. */
    public static Optional<String> problem(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            return Optional.of("is not a valid URL");
        }
        String host = uri.getHost();
        if (text.length() > MAX_URL || host == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return Optional.of("must have at most " + MAX_URL + " characters, a host, no user name and no fragment");
        }
        return "https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && LOOPBACK.contains(host)
                ? Optional.empty()
                : Optional.of("must be https; http is accepted only for localhost, 127.0.0.1 and [::1]");
    }

    /** Sends a request and returns the status of the response. The future fails if there is none in time. */
    public CompletableFuture<Integer> status(URI uri, HttpRequest.Builder request) {
        HttpRequest built = request.uri(uri).timeout(timeout).build();
        AtomicReference<@Nullable CompletableFuture<?>> exchange = new AtomicReference<>();
        return CompletableFuture.runAsync(() -> screen(uri.getHost()), lookups)
                .thenCompose(screened -> {
                    var sent = http().sendAsync(built, HttpResponse.BodyHandlers.discarding());
                    exchange.set(sent);
                    return sent.copy();
                })
                .thenApply(HttpResponse::statusCode)
                // The request's own timeout ends with the headers; a body may take forever.
                .orTimeout(2 * timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((status, failure) -> {
                    CompletableFuture<?> sent = exchange.get();
                    if (sent != null) {
                        sent.cancel(true); // closes the connection if the response is not complete
                    }
                });
    }

    /** Refuses addresses that no target may have. The JDK caches them, so the request goes to one of those. */
    private static void screen(String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address.isLinkLocalAddress()
                        || address.isAnyLocalAddress()
                        || address.isMulticastAddress()
                        || address.isLoopbackAddress() && !LOOPBACK.contains(host)) {
                    throw new IOException("the address " + address.getHostAddress() + " is not allowed");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized HttpClient http() {
        if (http == null) {
            http = HttpClient.newBuilder()
                    .connectTimeout(timeout)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
        }
        return http;
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
