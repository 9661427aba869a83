// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.time.Duration;

/** The tables that PostgreSQL partitions by time. */
enum PartitionedTable {
    /** Challenges expire within an hour. */
    USED_CHALLENGES(
            "passkey_used_challenge",
            "expires_at",
            PartitionWidth.TEN_MINUTES,
            Duration.ofMinutes(90),
            ", PRIMARY KEY (expires_at, challenge_id)",
            ""),
    /** A key of the whole table would have to contain the time. A chain is written by one thread, and is checked. */
    AUDIT("porchlight_audit", "at", PartitionWidth.MONTH, Duration.ofDays(45), "", ", PRIMARY KEY (chain, seq)");

    final String table;
    final String column;
    final PartitionWidth width;
    /** How far ahead there are partitions. */
    final Duration ahead;
    /** The primary key of the whole table, and of each partition where there is none. */
    final String key;

    final String partitionKey;

    PartitionedTable(
            String table, String column, PartitionWidth width, Duration ahead, String key, String partitionKey) {
        this.table = table;
        this.column = column;
        this.width = width;
        this.ahead = ahead;
        this.key = key;
        this.partitionKey = partitionKey;
    }
}
