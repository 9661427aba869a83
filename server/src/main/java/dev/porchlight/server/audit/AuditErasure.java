// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the user id in audit rows by a pseudonym, so that the chains still verify. Not thread-safe.
 *
 * <p>The hash of a row stays, so later rows still follow from it. It no longer matches the content, so a keyed hash over the new
 * content and the old hash is stored in the table {@code porchlight_audit_erasure}. A row that did not verify before gets none, so
 * that erasing a user does not hide that a row was changed.
 */
public final class AuditErasure {
    /** The page size, which keeps transactions short. */
    private static final int PAGE = 500;

    private static final String ROWS =
            "SELECT " + AuditStore.COLUMNS + " FROM porchlight_audit WHERE user_id = ? LIMIT " + PAGE;
    private static final String USERS = "SELECT DISTINCT user_id FROM porchlight_audit WHERE at >= ? AND user_id <> ''";
    private static final String HASH = "SELECT hash FROM porchlight_audit WHERE chain = ? AND seq = ?"
            + " UNION ALL SELECT hash FROM porchlight_audit_checkpoint WHERE chain = ? AND to_seq = ?";
    private static final String REPLACE = "UPDATE porchlight_audit SET user_id = ? WHERE chain = ? AND seq = ?";
    private static final String SEAL = "INSERT INTO porchlight_audit_erasure (chain, seq, seal) VALUES (?, ?, ?)"
            + " ON CONFLICT (chain, seq) DO UPDATE SET seal = excluded.seal";

    private final Sql sql;
    private final KeyedHash hashing;

    public AuditErasure(Sql sql, byte[] key) {
        this.sql = sql;
        this.hashing = new KeyedHash(key);
    }

    /** Replaces the user id in all rows and returns their number. If it fails, it can be repeated. */
    public int run(String userId, String pseudonym) {
        int total = 0;
        int replaced;
        do {
            replaced =
                    sql.transaction("erase a user in the audit log", connection -> page(connection, userId, pseudonym));
            total += replaced;
        } while (replaced == PAGE);
        return total;
    }

    /** The users in rows since this time, in milliseconds since 1970. */
    public List<String> usersSince(long time) {
        return sql.query(USERS, row -> row.getString(1), time);
    }

    private int page(Connection connection, String userId, String pseudonym) throws SQLException {
        List<AuditRow> rows = Sql.query(connection, ROWS, AuditStore::read, userId);
        for (AuditRow row : rows) {
            AuditEvent event = row.event();
            var renamed = new AuditRow(
                    row.chain(),
                    row.seq(),
                    row.at(),
                    new AuditEvent(event.action(), pseudonym, event.outcome(), event.reason(), event.correlationId()),
                    row.hash());
            String previous = previousHash(connection, row);
            if (previous != null && row.follows(previous, hashing)) {
                Sql.update(connection, SEAL, row.chain(), row.seq(), renamed.erasureSeal(hashing));
            }
            Sql.update(connection, REPLACE, pseudonym, row.chain(), row.seq());
        }
        return rows.size();
    }

    private static @Nullable String previousHash(Connection connection, AuditRow row) throws SQLException {
        long before = row.seq() - 1;
        return before < 0
                ? ""
                : Sql.first(
                        Sql.query(connection, HASH, it -> it.getString(1), row.chain(), before, row.chain(), before));
    }
}
