// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The delay before a batch is sent again: 1 s, 2 s, 4 s and so on up to 60 s, with 20 % jitter, so that instances do
 * not return to a recovering collector all at once.
 */
public record Backoff(DoubleSupplier random) {
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** The longest delay that a collector can request; without a limit, a wrong header could stop the export forever. */
    static final long MAX_REQUESTED_NANOS = TimeUnit.MINUTES.toNanos(15);

    /**
     * Returns the delay after a failed attempt.
     *
     * @param failures the number of failed attempts, at least 1
     * @param requestedNanos the delay that the collector requested, which wins; negative if it requested none
     */
    public long nanos(int failures, long requestedNanos) {
        if (requestedNanos >= 0) {
            return Math.max(FIRST_NANOS, Math.min(requestedNanos, MAX_REQUESTED_NANOS));
        }
        long base = failures > 6 ? MAX_NANOS : Math.min(MAX_NANOS, FIRST_NANOS << (failures - 1));
        return (long) (base * (0.8 + 0.4 * random.getAsDouble()));
    }

    /** Parses the header {@code Retry-After}, in seconds or as a date. Returns nanoseconds, or -1 if it is invalid. */
    static long requested(String header, long epochNanos) {
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
