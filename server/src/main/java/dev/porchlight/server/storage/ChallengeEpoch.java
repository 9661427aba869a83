// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.time.Instant;

/**
 * Counts how often the database was replaced by an older copy. The copy does not know which challenges were used since then, so
 * challenges from before are refused: the number is part of the purpose that their key is derived for.
 */
public final class ChallengeEpoch {
    private static final String BEGIN = "INSERT INTO passkey_schema (part, version) VALUES ('challenge-epoch', ?)"
            + " ON CONFLICT (part) DO UPDATE SET version = CASE WHEN passkey_schema.version < excluded.version"
            + " THEN excluded.version ELSE passkey_schema.version + 1 END";
    private static final String READ = "SELECT version FROM passkey_schema WHERE part = 'challenge-epoch'";

    private ChallengeEpoch() {}

    /** The purpose that the challenge key is derived for. */
    public static String purpose(Sql sql) {
        Integer epoch = Sql.first(sql.query(READ, row -> row.getInt(1)));
        return "seal challenges" + (epoch == null ? "" : " " + epoch);
    }

    /** Invalidates all earlier challenges. The number includes the time, because the copy does not know the previous number. */
    public static void begin(Sql sql, Instant now) {
        sql.update(BEGIN, (int) (now.getEpochSecond() / 60));
    }
}
