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
 * @param connections how many may be open at once
 * @param streams how many requests may be under way on one HTTP/2 connection
 * @param concurrency how many requests are handled at once; more wait, or are refused if they are of those for which a
 *     part of the threads is kept
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
        int concurrency) {
    public static final Limits DEFAULT = new Limits(
            65_536,
            8_192,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            1_024,
            Duration.ofSeconds(5),
            8_192,
            100,
            200);

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
                concurrency);
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
