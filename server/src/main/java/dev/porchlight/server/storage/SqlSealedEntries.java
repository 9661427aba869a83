// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sealed entries in the database that all instances share. Expired entries may still be returned; the caller checks the expiry.
 * Thread-safe.
 */
public final class SqlSealedEntries {
    /** The maximum number of entries per kind and owner. The oldest are removed soon. */
    static final int PER_OWNER = 256;

    private static final String COLUMNS = "kind, entry_key, owner, sealed, expires_at";
    private static final String PUT = "INSERT INTO porchlight_sealed_entry (" + COLUMNS
            + ", created_at) VALUES (?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (kind, entry_key) DO UPDATE SET owner = excluded.owner, sealed = excluded.sealed,"
            + " expires_at = excluded.expires_at, created_at = excluded.created_at";
    private static final String TRIM = "DELETE FROM porchlight_sealed_entry WHERE kind = ? AND entry_key IN"
            + " (SELECT entry_key FROM porchlight_sealed_entry WHERE kind = ? AND owner = ?"
            + " ORDER BY created_at, entry_key DESC LIMIT (SELECT CASE WHEN COUNT(*) > " + PER_OWNER
            + " THEN COUNT(*) - " + PER_OWNER
            + " ELSE 0 END FROM porchlight_sealed_entry WHERE kind = ? AND owner = ?))";
    private static final String FIND =
            "SELECT " + COLUMNS + " FROM porchlight_sealed_entry WHERE kind = ? AND entry_key = ?";
    private static final String TAKE =
            "DELETE FROM porchlight_sealed_entry WHERE kind = ? AND entry_key = ? RETURNING " + COLUMNS;
    private static final String REMOVE = "DELETE FROM porchlight_sealed_entry WHERE kind = ? AND entry_key = ?";
    /** An empty update, which locks the row. */
    private static final String HOLD =
            "UPDATE porchlight_sealed_entry SET owner = owner WHERE kind = ? AND entry_key = ?";

    private static final String OF_OWNER = "SELECT " + COLUMNS
            + " FROM porchlight_sealed_entry WHERE kind = ? AND owner = ? ORDER BY created_at DESC, entry_key";
    private static final String REMOVE_OWNER = "DELETE FROM porchlight_sealed_entry WHERE kind = ? AND owner = ?";
    private static final String REMOVE_KIND = "DELETE FROM porchlight_sealed_entry WHERE kind = ?";
    private static final String SWEEP = "DELETE FROM porchlight_sealed_entry WHERE expires_at < ?";

    /** Counting an owner's entries costs more than writing one, so only one in this many writes trims, selected by its key. */
    private static final int TRIM_EVERY = 16;

    private final Sql sql;
    private final InstantSource clock;

    public SqlSealedEntries(Sql sql, InstantSource clock) {
        this.sql = sql;
        this.clock = clock;
    }

    public void put(SealedEntry entry) {
        sql.update(PUT, entry.kind(), entry.key(), entry.owner(), entry.sealed(), entry.expiresAt(), clock.millis());
        trim(entry);
    }

    /** Stores an entry in the caller's transaction; the caller calls {@link #trim} afterwards. */
    public static void put(Connection connection, SealedEntry entry, long now) throws SQLException {
        Sql.update(connection, PUT, entry.kind(), entry.key(), entry.owner(), entry.sealed(), entry.expiresAt(), now);
    }

    /** Occasionally removes the oldest entries of this one's owner beyond {@link #PER_OWNER}. */
    public void trim(SealedEntry added) {
        if (added.key().hashCode() % TRIM_EVERY != 0) {
            return;
        }
        String kind = added.kind();
        String owner = added.owner();
        try {
            sql.update(TRIM, kind, kind, owner, kind, owner);
        } catch (StorageException e) {
            // The entry is stored; a later one will trim.
        }
    }

    public static @Nullable SealedEntry find(Connection connection, String kind, String key) throws SQLException {
        return Sql.first(Sql.query(connection, FIND, SqlSealedEntries::read, kind, key));
    }

    /** Removes an entry in the caller's transaction; returns false if it does not exist. */
    public static boolean remove(Connection connection, String kind, String key) throws SQLException {
        return Sql.update(connection, REMOVE, kind, key) == 1;
    }

    /** Whether an entry exists, which then stays until the caller's transaction ends. */
    public static boolean hold(Connection connection, String kind, String key) throws SQLException {
        return Sql.update(connection, HOLD, kind, key) == 1;
    }

    public static void removeAll(Sql sql, String kind) {
        sql.update(REMOVE_KIND, kind);
    }

    public static void removeOwner(Connection connection, String kind, String owner) throws SQLException {
        Sql.update(connection, REMOVE_OWNER, kind, owner);
    }

    public static List<SealedEntry> ofOwner(Connection connection, String kind, String owner) throws SQLException {
        return Sql.query(connection, OF_OWNER, SqlSealedEntries::read, kind, owner);
    }

    public @Nullable SealedEntry find(String kind, String key) {
        return Sql.first(sql.query(FIND, SqlSealedEntries::read, kind, key));
    }

    /** Removes and returns an entry: of several concurrent callers on any instances, one gets it and the others get null. */
    public @Nullable SealedEntry take(String kind, String key) {
        return Sql.first(sql.query(TAKE, SqlSealedEntries::read, kind, key));
    }

    /** The owner's entries of one kind, newest first. */
    public List<SealedEntry> ofOwner(String kind, String owner) {
        return sql.query(OF_OWNER, SqlSealedEntries::read, kind, owner);
    }

    /** Removes entries that expired before {@code now} and returns their number. */
    public int sweep(long now) {
        return sql.update(SWEEP, now);
    }

    private static SealedEntry read(ResultSet row) throws SQLException {
        return new SealedEntry(row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getLong(5));
    }
}
