// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;

/**
 * What a client may take of us.
 *
 * @param bodyBytes the largest request body
 * @param headerBytes the largest request line and headers together
 * @param headerTime from the first byte of a request to the end of its headers
 * @param idleTime without a byte in either direction
 * @param bytesPerSecond the least a client must send or take, on average, once {@code grace} is over
 * @param grace how long a client may be as slow as it likes
 * @param connections how many may be open at once at a listener
 * @param streams how many requests may be under way on one HTTP/2 connection
 * @param concurrency how many requests are handled at once; more wait, or are refused if they are of those for which a
 *     part of the threads is kept
 * @param bodyRoom the bytes of unfinished request bodies that are held at once
 */
public record Limits(
        int bodyBytes,
        int headerBytes,
        Duration headerTime,
        Duration idleTime,
        int bytesPerSecond,
        Duration grace,
        int connections,
        int streams,
        int concurrency,
        long bodyRoom) {
    private static final long MOST_BODY_ROOM = 32L * 1_024 * 1_024;
    private static final int MOST_CONNECTIONS = 8_192;
    /** Enough for a few people at the smallest heaps, on which nobody should run a service. */
    private static final int FEWEST_CONNECTIONS = 256;

    /** What a connection may cost of the heap: unfinished headers of the largest size, their text, and Jetty's own objects. */
    private static final long BYTES_OF_A_CONNECTION = 24 * 1_024;

    /** The same with TLS, which keeps an engine, its keys and buffers. */
    private static final long BYTES_OF_A_TLS_CONNECTION = 64 * 1_024;

    public static final Limits DEFAULT = new Limits(
            65_536,
            8_192,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            1_024,
            Duration.ofSeconds(5),
            MOST_CONNECTIONS,
            100,
            200);

    /** Limits with the usual room for bodies. */
    Limits(
            int bodyBytes,
            int headerBytes,
            Duration headerTime,
            Duration idleTime,
            int bytesPerSecond,
            Duration grace,
            int connections,
            int streams,
            int concurrency) {
        this(
                bodyBytes,
                headerBytes,
                headerTime,
                idleTime,
                bytesPerSecond,
                grace,
                connections,
                streams,
                concurrency,
                MOST_BODY_ROOM);
    }

    /** These limits, lowered so that all connections together take a quarter of the heap at most, and bodies an eighth. */
    public Limits within(long heapBytes, boolean tls) {
        long each = tls ? BYTES_OF_A_TLS_CONNECTION : BYTES_OF_A_CONNECTION;
        long affordable = Math.max(FEWEST_CONNECTIONS, heapBytes / 4 / each);
        return new Limits(
                bodyBytes,
                headerBytes,
                headerTime,
                idleTime,
                bytesPerSecond,
                grace,
                (int) Math.min(connections, affordable),
                streams,
                concurrency,
                Math.min(bodyRoom, heapBytes / 8));
    }

    public Limits withBodyBytes(int newBodyBytes) {
        return new Limits(
                newBodyBytes,
                headerBytes,
                headerTime,
                idleTime,
                bytesPerSecond,
                grace,
                connections,
                streams,
                concurrency,
                bodyRoom);
    }

    /** How many connections a client address may have at a listener, unless it is a trusted proxy. */
    int connectionsPerAddress() {
        return Math.min(connections, Math.max(64, connections / 8));
    }

    /** How many connections the listener for operators may have, beside those of the other listener. */
    int managementConnections() {
        return Math.min(connections, Math.max(64, connections / 8));
    }

    /** How much of the room for bodies a client address may have. */
    long bodyRoomPerAddress() {
        return Math.max(bodyRoom / 4, 4L * bodyBytes);
    }

    /** How many requests of users and administrators are handled at once. */
    int admitted() {
        return Math.max(1, concurrency * 5 / 8);
    }

    /** How many requests of everybody are: pages, keys, what there is not. What is left is for health and operators. */
    int admittedOthers() {
        return Math.max(1, concurrency / 8);
    }

    /** For how many clients that do not take their answers at once a thread waits. */
    int waitedFor() {
        return Math.max(1, concurrency / 16);
    }

    /** How long a transfer may have taken by the time so many bytes have passed. */
    long transferNanos(long bytes) {
        return grace.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
