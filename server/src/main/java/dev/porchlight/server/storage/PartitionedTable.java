// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** The tables that PostgreSQL partitions by time. */
enum PartitionedTable {
    /** Challenges expire within an hour. */
    USED_CHALLENGES(
            "passkey_used_challenge",
            "expires_at",
            Width.TEN_MINUTES,
            Duration.ofMinutes(90),
            ", PRIMARY KEY (expires_at, challenge_id)",
            ""),
    /** A table-wide key would have to include the time. A chain is written by one thread and verified, so it needs no such key. */
    AUDIT("porchlight_audit", "at", Width.MONTH, Duration.ofDays(45), "", ", PRIMARY KEY (chain, seq)");

    final String table;
    final String column;
    final Width width;
    final Duration ahead;
    /** The primary key of the whole table, or of each partition if the table has none. */
    final String key;

    final String partitionKey;

    PartitionedTable(String table, String column, Width width, Duration ahead, String key, String partitionKey) {
        this.table = table;
        this.column = column;
        this.width = width;
        this.ahead = ahead;
        this.key = key;
        this.partitionKey = partitionKey;
    }

    /** The time range of one partition, in UTC. Times are milliseconds since the epoch. */
    enum Width {
        TEN_MINUTES("uuuuMMdd_HHmm"),
        MONTH("uuuuMM");

        private static final int MINUTES = 10;

        private final DateTimeFormatter format;

        Width(String format) {
            this.format = DateTimeFormatter.ofPattern(format);
        }

        long begin(long time) {
            ZonedDateTime at = utc(time);
            return millis(
                    this == MONTH
                            ? at.withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS)
                            : at.withMinute(at.getMinute() / MINUTES * MINUTES).truncatedTo(ChronoUnit.MINUTES));
        }

        long next(long begin) {
            return millis(this == MONTH ? utc(begin).plusMonths(1) : utc(begin).plusMinutes(MINUTES));
        }

        String name(long begin) {
            return format.format(utc(begin));
        }

        private static ZonedDateTime utc(long time) {
            return Instant.ofEpochMilli(time).atZone(ZoneOffset.UTC);
        }

        private static long millis(ZonedDateTime time) {
            return time.toInstant().toEpochMilli();
        }
    }
}
