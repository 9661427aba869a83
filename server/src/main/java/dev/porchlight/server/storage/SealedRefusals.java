// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refused ceremonies of all instances in the table {@code porchlight_refusal}, encrypted and found by keyed hashes. The number of
 * rows is limited. Beyond the limit, the oldest rows of the addresses with the most rows are deleted. Thread-safe.
 */
public final class SealedRefusals {
    public static final int MAX_ROWS = 1_000;

    private static final String COLUMNS =
            "refusal_id, trace_hash, code_hash, correlation_hash, client_hash, owner, address, sealed, created_at,"
                    + " expires_at";
    private static final String PUT = "INSERT INTO porchlight_refusal (" + COLUMNS
            + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (refusal_id) DO UPDATE SET"
            + " correlation_hash = excluded.correlation_hash, client_hash = excluded.client_hash, owner = excluded.owner, address = excluded.address,"
            + " sealed = excluded.sealed, created_at = excluded.created_at, expires_at = excluded.expires_at";
    private static final String TRIM = "DELETE FROM porchlight_refusal WHERE refusal_id IN (SELECT refusal_id FROM"
            + " (SELECT refusal_id, created_at, ROW_NUMBER() OVER (PARTITION BY address ORDER BY created_at DESC, refusal_id)"
            + " AS place FROM porchlight_refusal) AS placed ORDER BY place DESC, created_at, refusal_id"
            + " LIMIT (SELECT CASE WHEN COUNT(*) > ? THEN COUNT(*) - ? ELSE 0 END FROM porchlight_refusal))";
    private static final String ERASED = ErasedUsers.contains("porchlight_refusal.owner");
    private static final String FIND = "SELECT refusal_id, sealed FROM porchlight_refusal WHERE expires_at > ?"
            + " AND NOT " + ERASED
            + " AND (trace_hash = ? OR code_hash = ? OR correlation_hash = ? OR owner <> '' AND owner = ?"
            + " OR client_hash <> '' AND client_hash = ?)"
            + " ORDER BY created_at DESC, refusal_id LIMIT ?";
    private static final String REMOVE_OWNER = "DELETE FROM porchlight_refusal WHERE owner = ?";
    private static final String SWEEP = "DELETE FROM porchlight_refusal WHERE expires_at <= ? OR " + ERASED;

    private final Sql sql;
    private final int max;

    public SealedRefusals(Sql sql) {
        this(sql, MAX_ROWS);
    }

    SealedRefusals(Sql sql, int max) {
        this.sql = sql;
        this.max = max;
    }

    /**
     * The keyed hashes by which a refusal is found.
     *
     * @param owner the hash of the user's name as of {@link ErasedUsers#hash}, or empty if the user is unknown
     * @param client the hash of the OpenID Connect client, or empty
     */
    public record Keys(String trace, String code, String correlation, String owner, String client) {}

    /**
     * A refusal to store.
     *
     * @param id identifies the ceremony and the instance
     * @param address the keyed hash of the client address that the row counts against
     * @param sealed the content, encrypted and bound to the id
     */
    public record Row(String id, Keys keys, String address, String sealed, long createdAt, long expiresAt) {}

    /** The encrypted content of a row. */
    public record Content(String id, String sealed) {}

    /**
     * Stores rows, replacing those with the same id, and deletes rows beyond the limit. The caller calls {@link #sweep} afterwards: a
     * user may have been erased before the rows were visible to the erasure.
     */
    public void put(List<Row> rows) {
        var unused = sql.transaction("store refusals", connection -> {
            for (Row row : rows) {
                Keys keys = row.keys();
                Sql.update(
                        connection,
                        PUT,
                        row.id(),
                        keys.trace(),
                        keys.code(),
                        keys.correlation(),
                        keys.client(),
                        keys.owner(),
                        row.address(),
                        row.sealed(),
                        row.createdAt(),
                        row.expiresAt());
            }
            return Sql.update(connection, TRIM, max, max);
        });
    }

    /** The refusals with one of these keys, newest first. An empty owner or client matches nothing. */
    public List<Content> find(Keys keys, int limit, long now) {
        return sql.query(
                FIND,
                row -> new Content(row.getString(1), row.getString(2)),
                now,
                keys.trace(),
                keys.code(),
                keys.correlation(),
                keys.owner(),
                keys.client(),
                limit);
    }

    /** The user of a stored passkey or else of a user handle, or null. */
    public @Nullable String holderOf(String credentialId, String userHandle) {
        return SqlUsers.holderOf(sql, credentialId, userHandle);
    }

    /** Removes a user's refusals, after the erasure of the user. */
    public void removeOwner(String owner) {
        sql.update(REMOVE_OWNER, owner);
    }

    /** Removes expired refusals and those of erased users. */
    public void sweep(long now) {
        sql.update(SWEEP, now);
    }
}
