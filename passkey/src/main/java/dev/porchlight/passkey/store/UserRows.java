// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of {@code passkey_user}, which also serve as locks of their users' passkeys. */
final class UserRows {
    private static final String USER = "SELECT user_id, user_handle, name, display_name FROM passkey_user"
            + " WHERE user_id = ? AND user_handle IS NOT NULL";
    private static final String ENROLL = "INSERT INTO passkey_user (user_id, user_handle, name, display_name)"
            + " VALUES (?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
            + " user_handle = COALESCE(passkey_user.user_handle, excluded.user_handle),"
            + " name = COALESCE(excluded.name, passkey_user.name),"
            + " display_name = COALESCE(excluded.display_name, passkey_user.display_name)"
            + " RETURNING user_id, user_handle, name, display_name";
    /** Not ON DUPLICATE KEY: a handle of another user would then change that user. */
    private static final String MYSQL_ENROLL = "UPDATE passkey_user SET user_handle = COALESCE(user_handle, ?),"
            + " name = COALESCE(?, name), display_name = COALESCE(?, display_name) WHERE user_id = ?";

    /** Creates a user, or adds a missing handle and missing names. */
    static final String COMPLETE = "INSERT INTO passkey_user (user_id, user_handle, name, display_name)"
            + " VALUES (?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"
            + " user_handle = COALESCE(passkey_user.user_handle, excluded.user_handle),"
            + " name = COALESCE(passkey_user.name, excluded.name),"
            + " display_name = COALESCE(passkey_user.display_name, excluded.display_name)";

    private static final String MYSQL_COMPLETE = "UPDATE passkey_user SET user_handle = COALESCE(user_handle, ?),"
            + " name = COALESCE(name, ?), display_name = COALESCE(display_name, ?) WHERE user_id = ?";
    /** An empty update of the user's row, which serializes the addition and removal of their passkeys. */
    static final SqlDialect.Statement LOCK = SqlDialect.Statement.insertOrLock(
            "INSERT INTO passkey_user (user_id) VALUES (?)", "passkey_user", "user_id");

    private static final String LOCK_ROW = "UPDATE passkey_user SET user_id = user_id WHERE user_id = ?";
    /** Locks the owner of a passkey, and no other user. It is a write, so SQLite takes its lock at the start. */
    private static final SqlDialect.Statement LOCK_OWNER = SqlDialect.Statement.insertOrLock(
            "INSERT INTO passkey_user (user_id)"
                    + " SELECT user_id FROM passkey_credential WHERE credential_id = ? AND user_id = ?",
            "passkey_user",
            "user_id");

    private UserRows() {}

    /** Locks the row of a user, and creates it if it does not exist. */
    static void lock(Connection connection, String userId) throws SQLException {
        Sql.update(connection, LOCK.in(connection), userId);
    }

    /** The same. Returns whether the user was known before: the first statement waits for an erasure, and finds no row after it. */
    static boolean lockKnown(Connection connection, String userId) throws SQLException {
        if (Sql.update(connection, LOCK_ROW, userId) > 0) {
            return true;
        }
        lock(connection, userId);
        return !SqlUsers.passkeys(connection, userId).isEmpty();
    }

    /**
     * Locks the row of a user who has this passkey. See {@link SqlUsers#lockOwner}.
     *
     * <p>The empty update waits for an erasure of the user. Without a row after that, the second statement sees the result, so
     * that it does not write the user again. Without a row to wait for, the second statement waits, and what it wrote is removed.
     */
    static boolean lockOwner(Connection connection, String userId, String credentialId) throws SQLException {
        if (Sql.update(connection, LOCK_ROW, userId) > 0) {
            return true;
        }
        if (Sql.update(connection, LOCK_OWNER.in(connection), credentialId, userId) == 0) {
            return false;
        }
        if (SqlUsers.passkeys(connection, userId).isEmpty()) {
            SqlUsers.forget(connection, userId);
            return false;
        }
        return true;
    }

    static @Nullable UserRecord find(Sql sql, String userId) {
        return Sql.first(sql.query(USER, UserRows::read, userId));
    }

    /** Enrolls a user. See {@link CredentialStore#enroll}. */
    static UserRecord enroll(Sql sql, UserRecord user) {
        return sql.dialect() == SqlDialect.MYSQL
                ? sql.transaction("enroll a user", connection -> enroll(connection, user))
                : sql.query(ENROLL, UserRows::read, arguments(user)).get(0);
    }

    /** Enrolls a user, within a transaction. */
    static UserRecord enroll(Connection connection, UserRecord user) throws SQLException {
        if (SqlDialect.of(connection) == SqlDialect.STANDARD) {
            return Sql.query(connection, ENROLL, UserRows::read, arguments(user))
                    .get(0);
        }
        lock(connection, user.userId());
        Sql.update(connection, MYSQL_ENROLL, user.userHandle(), user.name(), user.displayName(), user.userId());
        return Sql.query(connection, USER, UserRows::read, user.userId()).get(0);
    }

    /** Creates a user, or adds a missing handle and missing names, on MySQL. */
    static void completeOnMySql(Connection connection, UserRecord user) throws SQLException {
        lock(connection, user.userId());
        Sql.update(connection, MYSQL_COMPLETE, user.userHandle(), user.name(), user.displayName(), user.userId());
    }

    static @Nullable Object[] arguments(UserRecord user) {
        return new @Nullable Object[] {user.userId(), user.userHandle(), user.name(), user.displayName()};
    }

    static UserRecord read(ResultSet row) throws SQLException {
        return new UserRecord(row.getString(1), row.getString(2), row.getString(3), row.getString(4));
    }
}
