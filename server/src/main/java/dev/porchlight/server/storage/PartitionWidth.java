// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** The time range of one partition, in UTC. Times are milliseconds since the epoch. */
enum PartitionWidth {
    TEN_MINUTES("uuuuMMdd_HHmm") {
        @Override
        long begin(long time) {
            return Math.floorDiv(time, MILLIS) * MILLIS;
        }

        @Override
        long next(long begin) {
            return begin + MILLIS;
        }
    },
    MONTH("uuuuMM") {
        @Override
        long begin(long time) {
            return utc(time)
                    .withDayOfMonth(1)
                    .truncatedTo(ChronoUnit.DAYS)
                    .toInstant()
                    .toEpochMilli();
        }

        @Override
        long next(long begin) {
            return utc(begin).plusMonths(1).toInstant().toEpochMilli();
        }
    };

    private static final long MILLIS = 600_000;

    private final DateTimeFormatter format;

    PartitionWidth(String format) {
        this.format = DateTimeFormatter.ofPattern(format);
    }

    /** Where the range begins that holds this time. */
    abstract long begin(long time);

    /** Where the range after this one begins. */
    abstract long next(long begin);

    /** A name for the range that begins here. */
    String name(long begin) {
        return format.format(utc(begin));
    }

    private static ZonedDateTime utc(long time) {
        return Instant.ofEpochMilli(time).atZone(ZoneOffset.UTC);
    }
}
