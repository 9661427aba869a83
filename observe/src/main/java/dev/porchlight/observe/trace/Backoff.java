// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * How long to wait before a batch is sent again: 1 s, 2 s, 4 s and so on up to 60 s, each up to a fifth more or less, so
 * that many instances do not return to a recovering collector all at once.
 */
final class Backoff {
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** The longest time a collector can ask for; without a bound a wrong header would end tracing for good. */
    static final long MAX_ASKED_NANOS = TimeUnit.MINUTES.toNanos(15);

    private final DoubleSupplier random;

    /** With a source of numbers from 0 to 1. */
    Backoff(DoubleSupplier random) {
        this.random = random;
    }

    /**
     * The delay after a failed attempt.
     *
     * @param failures how many attempts have failed, at least 1
     * @param askedNanos what the collector asked for, which wins; negative when it did not
     */
    long nanos(int failures, long askedNanos) {
        if (askedNanos >= 0) {
            return Math.max(FIRST_NANOS, Math.min(askedNanos, MAX_ASKED_NANOS));
        }
        long base = failures > 6 ? MAX_NANOS : Math.min(MAX_NANOS, FIRST_NANOS << (failures - 1));
        return (long) (base * (0.8 + 0.4 * random.getAsDouble()));
    }

    /**
     * What the header {@code Retry-After} asks for, as seconds or as a date: nanoseconds, never negative, or -1 when it
     * cannot be understood.
     */
    static long asked(String header, long epochNanos) {
        String text = header.strip();
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return text.length() > 9 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(Long.parseLong(text));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            long millis = date.toEpochMilli() - TimeUnit.NANOSECONDS.toMillis(epochNanos);
            return Math.max(0, TimeUnit.MILLISECONDS.toNanos(millis));
        } catch (DateTimeException e) {
            return -1;
        }
    }
}
