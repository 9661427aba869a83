// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;

/** Reads the header {@code Retry-After}: seconds, or the date from which on to try again. */
final class RetryAfter {
    private RetryAfter() {}

    /** The wait in nanoseconds, never negative, or -1 when the header says nothing that can be understood. */
    static long nanos(String header, long epochNanos) {
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
