// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import java.time.Instant;

/** Remembers, in the database, which assertions and proofs were used, until they expire. */
final class UsedTokens {
    private UsedTokens() {}

    /** Marks a token as used; false if it was used before, on any instance. */
    static boolean use(Sql sql, String token, Instant expiresAt) {
        return sql.update(
                        "INSERT INTO porchlight_openid_used (token_hash, expires_at) VALUES (?, ?)"
                                + " ON CONFLICT (token_hash) DO NOTHING",
                        Client.hash(token),
                        expiresAt.toEpochMilli())
                == 1;
    }
}
