// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;

/**
 * Resource limits for clients.
 *
 * @param bodyBytes the largest request body
 * @param headerBytes the largest request line and headers together
 * @param timeouts the timeouts for slow clients
 * @param connections the number of open connections per listener
 * @param streams the number of requests in progress on one HTTP/2 connection
 * @param concurrency the number of requests handled at once; part of it is reserved by {@link Access.Capacity}
 * @param bodyBudget the bytes of incomplete request bodies in memory
 */
public record Limits(
        int bodyBytes,
        int headerBytes,
        Timeouts timeouts,
        int connections,
        int streams,
        int concurrency,
        long bodyBudget) {
    static final long BODY_BUDGET = 32L * 1_024 * 1_024;

    /** Enough for a few users with the smallest heaps. */
    private static final int MIN_CONNECTIONS = 256;

    /** The heap use of a connection: incomplete headers of the largest size, their text, and Jetty's objects. */
    private static final long CONNECTION_BYTES = 24 * 1_024;

    /** The heap use of a TLS connection, which also has an engine, keys and buffers. */
    private static final long TLS_CONNECTION_BYTES = 64 * 1_024;

    /**
     * Timeouts for slow clients.
     *
     * @param headers from the first byte of a request to the end of its headers
     * @param idle without a byte in either direction
     * @param grace how long a transfer may be arbitrarily slow
     * @param bytesPerSecond the minimum average rate of a transfer after that
     */
    public record Timeouts(Duration headers, Duration idle, Duration grace, int bytesPerSecond) {
        static final Timeouts DEFAULT =
                new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5), 1_024);
    }

    /** The default limits, with this size limit for request bodies. */
    public static Limits of(int bodyBytes) {
        return new Limits(bodyBytes, 8_192, Timeouts.DEFAULT, 8_192, 100, 200, BODY_BUDGET);
    }

    /** Returns these limits, lowered so that all connections use at most a quarter of the heap, and bodies an eighth. */
    public Limits within(long heapBytes, boolean tls) {
        long each = tls ? TLS_CONNECTION_BYTES : CONNECTION_BYTES;
        int affordable = (int) Math.min(connections, Math.max(MIN_CONNECTIONS, heapBytes / 4 / each));
        long budget = Math.min(bodyBudget, heapBytes / 8);
        return new Limits(bodyBytes, headerBytes, timeouts, affordable, streams, concurrency, budget);
    }

    /** The number of connections per client address, except trusted proxies; also the limit of the operators' listener. */
    int connectionShare() {
        return Math.min(connections, Math.max(64, connections / 8));
    }

    /** The share of the body budget for one client address. */
    long bodyBudgetPerAddress() {
        return Math.max(bodyBudget / 4, 4L * bodyBytes);
    }

    /** The number of requests handled at once on {@link Access.Capacity#AUTH} routes. */
    int authConcurrency() {
        return Math.max(1, concurrency * 5 / 8);
    }

    /** The number of requests handled at once on {@link Access.Capacity#PAGES} routes. The rest is for operators. */
    int pageConcurrency() {
        return Math.max(1, concurrency / 8);
    }

    /** The number of slow readers of a response that threads wait for. */
    int awaitedReaders() {
        return Math.max(1, concurrency / 16);
    }

    /** The time that a transfer of this many bytes may take. */
    long transferNanos(long bytes) {
        return timeouts.grace().toNanos() + bytes * 1_000_000_000L / timeouts.bytesPerSecond();
    }
}
