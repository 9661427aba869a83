// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Erased users, as keyed hashes: of their names in the table {@code porchlight_erased_user}, which keeps the name taken without
 * storing it, and of their ids in {@code porchlight_erased_spelling}, because two users may differ only in spelling.
 * Thread-safe.
 */
public final class ErasedUsers {
    private static final String ADD = "INSERT INTO porchlight_erased_user (name_hash, erased_at, locked_at, generation)"
            + " VALUES (?, ?, ?, ?) ON CONFLICT (name_hash) DO UPDATE SET erased_at = excluded.erased_at,"
            + " locked_at = COALESCE(porchlight_erased_user.locked_at, excluded.locked_at),"
            + " generation = porchlight_erased_user.generation + excluded.generation";
    private static final String ADD_SPELLING =
            "INSERT INTO porchlight_erased_spelling (id_hash, erased_at, locked_at, generation) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT (id_hash) DO UPDATE SET erased_at = excluded.erased_at,"
                    + " locked_at = excluded.locked_at, generation = excluded.generation";
    private static final String TIME = "SELECT erased_at FROM porchlight_erased_user WHERE name_hash = ?";
    static final String FIND = "SELECT 1 FROM porchlight_erased_user WHERE name_hash = ?";
    private static final String TIMES = "SELECT name_hash, erased_at FROM porchlight_erased_user WHERE name_hash";
    private static final String SPELLINGS = "SELECT id_hash, erased_at FROM porchlight_erased_spelling WHERE id_hash";
    private static final String FORGET =
            "DELETE FROM porchlight_erased_user WHERE name_hash = ? RETURNING locked_at, generation";
    private static final String FORGET_SPELLING =
            "DELETE FROM porchlight_erased_spelling WHERE id_hash = ? RETURNING locked_at, generation";
    private static final String SINCE = "SELECT name_hash, erased_at FROM porchlight_erased_user WHERE erased_at >= ?";

    private final KeyedHash hashing;

    public ErasedUsers(byte[] key) {
        this.hashing = new KeyedHash(key);
    }

    /** The keyed hash of a user's name, which is the same for all spellings. */
    public String hash(String userId) {
        return hashing.base64Of(UserNames.fold(userId));
    }

    /** A condition of another statement: whether the hash in this column belongs to an erased user. */
    public static String contains(String column) {
        return "EXISTS (SELECT 1 FROM porchlight_erased_user AS e WHERE e.name_hash = " + column + ")";
    }

    public boolean contains(Connection connection, String userId) throws SQLException {
        return Sql.exists(connection, FIND, hash(userId));
    }

    /** When the users with this hash of their names were erased, in milliseconds since 1970, or null. */
    public @Nullable Long time(Sql sql, String hash) {
        return Sql.first(sql.query(TIME, row -> row.getLong(1), hash));
    }

    /** Records that a user is erased who had this access, within the transaction of the erasure. */
    public void add(Connection connection, String userId, UserAccess access, long now) throws SQLException {
        Long locked = access.locked() ? now : null;
        Sql.update(connection, ADD, hash(userId), now, locked, access.generation());
        Sql.update(connection, ADD_SPELLING, hashing.base64Of(userId), now, locked, access.generation());
    }

    /** When those of these users were erased who were, in any spelling, in milliseconds since 1970, by user id. */
    public Map<String, Long> find(Connection connection, Collection<String> userIds) throws SQLException {
        Map<String, Long> times =
                new HashMap<>(RemovedPasskeys.times(connection, SPELLINGS, userIds, hashing::base64Of));
        times.putAll(RemovedPasskeys.times(connection, TIMES, userIds, this::hash));
        return times;
    }

    /** Allows to use the name again, and returns the access of its users when they were erased; null if it was not taken. */
    public @Nullable UserAccess forget(Connection connection, String userId) throws SQLException {
        return Sql.first(Sql.query(connection, FORGET, UserAccess::read, hash(userId)));
    }

    /** Forgets the erased user with exactly this id, and returns the access that the user had, or null. */
    public @Nullable UserAccess forgetSpelling(Connection connection, String userId) throws SQLException {
        return Sql.first(Sql.query(connection, FORGET_SPELLING, UserAccess::read, hashing.base64Of(userId)));
    }

    /** The hashes of users who were erased at or after this time, with their times, in milliseconds since 1970. */
    public Map<String, Long> since(Sql sql, long time) {
        return sql.query(SINCE, row -> Map.entry(row.getString(1), row.getLong(2)), time).stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
