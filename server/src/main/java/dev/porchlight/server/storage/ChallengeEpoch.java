// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.time.Instant;

/**
 * Counts in the table {@code porchlight_challenge_epoch} how often the database was replaced by an older copy. The copy does not know which challenges were used since then, so
 * challenges from before are refused: the number is part of the purpose that their key is derived for.
 */
public final class ChallengeEpoch {
    private static final String BEGIN = "INSERT INTO porchlight_challenge_epoch (epoch)"
            + " SELECT CASE WHEN COALESCE(MAX(epoch), 0) < ? THEN ? ELSE MAX(epoch) + 1 END FROM porchlight_challenge_epoch";
    private static final String READ = "SELECT COALESCE(MAX(epoch), 0) FROM porchlight_challenge_epoch";

    private ChallengeEpoch() {}

    /** The purpose that the challenge key is derived for. */
    public static String purpose(Sql sql) {
        long epoch = sql.query(READ, row -> row.getLong(1)).get(0);
        return "seal challenges " + epoch;
    }

    /** Invalidates all earlier challenges. The number includes the time, because the copy does not know the previous number. */
    public static void begin(Sql sql, Instant now) {
        long minute = now.getEpochSecond() / 60;
        sql.update(BEGIN, minute, minute);
    }
}
