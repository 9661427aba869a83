// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;

/**
 * What clients may use of the server.
 *
 * @param bodyBytes the largest request body
 * @param headerBytes the largest request line and headers together
 * @param timeouts how slow clients may be
 * @param connections how many may be open at once per listener
 * @param streams how many requests may be in progress on one HTTP/2 connection
 * @param concurrency how many requests are handled at once; part of it is reserved by {@link Access.Capacity}
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

    /** Enough for a few users at the smallest heaps. */
    private static final int MIN_CONNECTIONS = 256;

    /** What a connection may cost of the heap: incomplete headers of the largest size, their text, and Jetty's own objects. */
    private static final long CONNECTION_BYTES = 24 * 1_024;

    /** The same with TLS, which keeps an engine, its keys and buffers. */
    private static final long TLS_CONNECTION_BYTES = 64 * 1_024;

    public static final Limits DEFAULT = new Limits(65_536, 8_192, Timeouts.DEFAULT, 8_192, 100, 200, BODY_BUDGET);

    /**
     * How slow clients may be.
     *
     * @param headers from the first byte of a request to the end of its headers
     * @param idle without a byte in either direction
     * @param grace how long a transfer may be as slow as the client likes
     * @param bytesPerSecond the minimum average rate of a transfer after that
     */
    public record Timeouts(Duration headers, Duration idle, Duration grace, int bytesPerSecond) {
        static final Timeouts DEFAULT =
                new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5), 1_024);
    }

    /** These limits, lowered so that all connections together take a quarter of the heap at most, and bodies an eighth. */
    public Limits within(long heapBytes, boolean tls) {
        long each = tls ? TLS_CONNECTION_BYTES : CONNECTION_BYTES;
        int affordable = (int) Math.min(connections, Math.max(MIN_CONNECTIONS, heapBytes / 4 / each));
        long budget = Math.min(bodyBudget, heapBytes / 8);
        return new Limits(bodyBytes, headerBytes, timeouts, affordable, streams, concurrency, budget);
    }

    public Limits withBodyBytes(int newBodyBytes) {
        return new Limits(newBodyBytes, headerBytes, timeouts, connections, streams, concurrency, bodyBudget);
    }

    /** The connections of one client address at a listener, unless it is a trusted proxy; and of the listener for operators. */
    int connectionShare() {
        return Math.min(connections, Math.max(64, connections / 8));
    }

    /** How much of the body budget one client address may use. */
    long bodyBudgetPerAddress() {
        return Math.max(bodyBudget / 4, 4L * bodyBytes);
    }

    /** How many requests are handled at once on {@link Access.Capacity#AUTH} routes. */
    int authConcurrency() {
        return Math.max(1, concurrency * 5 / 8);
    }

    /** How many requests are handled at once on {@link Access.Capacity#PAGES} routes. The rest is for operators. */
    int pageConcurrency() {
        return Math.max(1, concurrency / 8);
    }

    /** How many slow readers of a response a thread waits for. */
    int awaitedReaders() {
        return Math.max(1, concurrency / 16);
    }

    /** How long a transfer may have taken by the time so many bytes have passed. */
    long transferNanos(long bytes) {
        return timeouts.grace().toNanos() + bytes * 1_000_000_000L / timeouts.bytesPerSecond();
    }
}
