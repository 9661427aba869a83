// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Erased users, as keyed hashes of their names, in the table {@code porchlight_erased_user}. The hash keeps the name taken without
 * storing it. Thread-safe.
 */
public final class ErasedUsers {
    private static final String ADD = "INSERT INTO porchlight_erased_user (name_hash, erased_at, locked_at, generation)"
            + " VALUES (?, ?, ?, ?) ON CONFLICT (name_hash) DO UPDATE SET erased_at = excluded.erased_at,"
            + " locked_at = COALESCE(porchlight_erased_user.locked_at, excluded.locked_at),"
            + " generation = porchlight_erased_user.generation + excluded.generation";
    static final String FIND = "SELECT 1 FROM porchlight_erased_user WHERE name_hash = ?";
    private static final String TIMES = "SELECT name_hash, erased_at FROM porchlight_erased_user WHERE name_hash";
    private static final String FORGET =
            "DELETE FROM porchlight_erased_user WHERE name_hash = ?" + " RETURNING locked_at, generation";
    private static final String SINCE = "SELECT name_hash, erased_at FROM porchlight_erased_user WHERE erased_at >= ?";

    private final KeyedHash hashing;

    public ErasedUsers(byte[] key) {
        this.hashing = new KeyedHash(key);
    }

    /** The keyed hash of a user's name, which is the same for all spellings. */
    public String hash(String userId) {
        return hashing.base64Of(TakenNames.fold(userId));
    }

    /** A condition of another statement: whether the hash in this column belongs to an erased user. */
    public static String contains(String column) {
        return "EXISTS (SELECT 1 FROM porchlight_erased_user AS e WHERE e.name_hash = " + column + ")";
    }

    public boolean contains(Connection connection, String userId) throws SQLException {
        return !Sql.query(connection, FIND, row -> row.getInt(1), hash(userId)).isEmpty();
    }

    /** Records that a user is erased who had this access, within the transaction of the erasure. */
    public void add(Connection connection, String userId, UserAccess access, long now) throws SQLException {
        Sql.update(connection, ADD, hash(userId), now, access.locked() ? now : null, access.generation());
    }

    /** When those of these users were erased who were, in milliseconds since 1970, by user id. */
    public Map<String, Long> find(Connection connection, Collection<String> userIds) throws SQLException {
        return RemovedPasskeys.times(connection, TIMES, userIds, this::hash);
    }

    /** Allows to use the name again, for a user who is imported again, and returns the access that the user had. */
    public UserAccess forget(Connection connection, String userId) throws SQLException {
        return UserAccess.orUntouched(Sql.first(Sql.query(connection, FORGET, UserAccess::read, hash(userId))));
    }

    /** The hashes of users who were erased at or after this time, with their times, in milliseconds since 1970. */
    public Map<String, Long> since(Sql sql, long time) {
        return sql.query(SINCE, row -> Map.entry(row.getString(1), row.getLong(2)), time).stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
