// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Users and passkeys in SQLite, PostgreSQL, MySQL or MariaDB. A subclass may read them in another way. Thread-safe. */
public class SqlCredentialStore implements CredentialStore {
    /** The table of passkeys. */
    public static final String TABLE = "passkey_credential";

    private static final String FIND =
            "SELECT " + CredentialRow.READ_COLUMNS + " FROM passkey_credential WHERE credential_id = ?";
    private static final String LIST = "SELECT " + CredentialRow.READ_COLUMNS
            + " FROM passkey_credential WHERE user_id = ? ORDER BY COALESCE(created_at, 0), credential_id";
    /** The limit follows as a literal: SQLite recompiles a statement each time a limit is bound. */
    private static final String RECENT = "SELECT " + CredentialRow.READ_COLUMNS + " FROM passkey_credential"
            + " WHERE user_id = ? ORDER BY COALESCE(last_used_at, created_at, 0) DESC, credential_id LIMIT ";
    /** For PostgreSQL, which accepts several keys as one array. */
    private static final String FIND_ALL =
            "SELECT " + CredentialRow.READ_COLUMNS + " FROM passkey_credential WHERE credential_id = ANY (?)";

    private static final String RECENT_OF_ALL = "SELECT found.* FROM unnest(?) AS asked(id) CROSS JOIN LATERAL ("
            + RECENT.replace("user_id = ?", "user_id = asked.id") + "%d) AS found";

    /** The unique constraint decides, across all instances. A registration never updates a row. */
    static final SqlDialect.Statement ADD = SqlDialect.Statement.insertIfAbsent(
            "INSERT INTO passkey_credential (" + CredentialRow.COLUMNS + ") VALUES (" + CredentialRow.MARKS + ")",
            "credential_id");

    private static final String COUNT = "SELECT COUNT(*) FROM passkey_credential WHERE user_id = ?";
    private static final String ADVANCE = "UPDATE passkey_credential"
            + " SET last_used_at = ?, backup_eligible = ?, backed_up = ?, sign_count = ?"
            + " WHERE credential_id = ? AND (sign_count < ? OR (sign_count = 0 AND ? = 0))";
    private static final String TOUCH = "UPDATE passkey_credential"
            + " SET last_used_at = ?, backup_eligible = ?, backed_up = ?,"
            + " sign_count = CASE WHEN sign_count < ? THEN ? ELSE sign_count END WHERE credential_id = ?";
    private static final String RENAME =
            "UPDATE passkey_credential SET name = ? WHERE credential_id = ? AND user_id = ?";
    private static final String OWNED = "SELECT 1 FROM passkey_credential WHERE credential_id = ? AND user_id = ?";
    private static final String EXISTS = "SELECT 1 FROM passkey_credential WHERE credential_id = ?";
    private static final String REMOVE = "DELETE FROM passkey_credential WHERE credential_id = ? AND user_id = ?";
    private static final SqlDialect.Statement SEAL = SqlDialect.Statement.insertIfAbsent(
            "INSERT INTO passkey_seal (credential_id, seal)"
                    + " SELECT credential_id, ? FROM passkey_credential WHERE credential_id = ?",
            "credential_id");
    private static final String UNSEAL = "DELETE FROM passkey_seal WHERE credential_id = ?";
    private static final String UNSEALED = "SELECT " + CredentialRow.READ_COLUMNS + " FROM passkey_credential"
            + " WHERE credential_id > ? AND NOT EXISTS (SELECT 1 FROM passkey_seal AS s"
            + " WHERE s.credential_id = passkey_credential.credential_id) ORDER BY credential_id LIMIT ?";

    private final Sql sql;
    private final Consumer<UnreadableRow> unreadable;

    /** Creates a store that skips unreadable rows. */
    public SqlCredentialStore(DataSource dataSource) {
        this(new Sql(dataSource));
    }

    /** Creates a store that skips unreadable rows, and whose statements can be observed. */
    public SqlCredentialStore(Sql sql) {
        this(sql, row -> {});
    }

    /**
     * Creates a store that also reports the rows it skips, on the caller's thread. An exception of the consumer goes to the
     * thread's uncaught exception handler.
     */
    public SqlCredentialStore(Sql sql, Consumer<UnreadableRow> unreadable) {
        this.sql = sql;
        this.unreadable = unreadable;
    }

    /** The database of this store, for work that belongs in the same transaction. */
    public Sql sql() {
        return sql;
    }

    @Override
    public @Nullable CredentialRecord find(String credentialId) {
        return Sql.first(readable(sql.query(FIND, CredentialRow::tryRead, credentialId)));
    }

    @Override
    public List<CredentialRecord> list(String userId) {
        return readable(sql.query(LIST, CredentialRow::tryRead, userId));
    }

    @Override
    public int count(String userId) {
        return sql.query(COUNT, row -> row.getInt(1), userId).get(0);
    }

    @Override
    public List<CredentialRecord> recent(String userId, int limit) {
        return readable(sql.query(RECENT + limit, CredentialRow::tryRead, userId)).stream()
                .sorted(CredentialRecord.OLDEST_FIRST)
                .toList();
    }

    /** {@link #find} for several ids in one query, on PostgreSQL: what there is, by id. */
    public Map<String, CredentialRecord> findAll(Collection<String> credentialIds) {
        Map<String, CredentialRecord> found = new HashMap<>();
        readable(sql.query(FIND_ALL, CredentialRow::tryRead, (Object) credentialIds.toArray(new String[0])))
                .forEach(credential -> found.put(credential.credentialId(), credential));
        return found;
    }

    /** {@link #recent} for several users in one query, on PostgreSQL: what there is, by user id. */
    public Map<String, List<CredentialRecord>> recentOfAll(Collection<String> userIds, int limit) {
        String[] users = userIds.toArray(new String[0]);
        return readable(sql.query(RECENT_OF_ALL.formatted(limit), CredentialRow::tryRead, (Object) users)).stream()
                .sorted(CredentialRecord.OLDEST_FIRST)
                .collect(Collectors.groupingBy(CredentialRecord::userId));
    }

    @Override
    public Addition add(CredentialRecord credential, int limit) {
        return sql.transaction("add a passkey", connection -> {
            lock(connection, credential.userId());
            return add(connection, credential, limit);
        });
    }

    /** Makes other changes of the user's passkeys and access wait until the caller's transaction ends. */
    public static void lock(Connection connection, String userId) throws SQLException {
        UserRows.lock(connection, userId);
    }

    /** {@link #add(CredentialRecord, int)} within a transaction of the caller, who has locked the user. */
    public static Addition add(Connection connection, CredentialRecord credential, int limit) throws SQLException {
        // The insert comes first: a known id is EXISTS even if the user has reached the limit.
        if (!Sql.insertIfAbsent(connection, ADD, CredentialRow.arguments(credential))) {
            return Addition.EXISTS;
        }
        if (count(connection, credential.userId()) > limit) {
            Sql.update(connection, REMOVE, credential.credentialId(), credential.userId());
            return Addition.TOO_MANY;
        }
        // A row that was deleted by hand may have left its seal.
        Sql.update(connection, UNSEAL, credential.credentialId());
        if (credential.seal() != null) {
            Sql.insertIfAbsent(connection, SEAL, credential.seal(), credential.credentialId());
        }
        return Addition.ADDED;
    }

    @Override
    public boolean advance(String credentialId, Use use) {
        return sql.update(ADVANCE, arguments(credentialId, use, true)) == 1;
    }

    /** {@link #advance(String, Use)} within a transaction of the caller. */
    public static boolean advance(Connection connection, String credentialId, Use use) throws SQLException {
        return Sql.update(connection, ADVANCE, arguments(credentialId, use, true)) == 1;
    }

    @Override
    public boolean touch(String credentialId, Use use) {
        return sql.update(TOUCH, arguments(credentialId, use, false)) == 1;
    }

    /** {@link #touch(String, Use)} within a transaction of the caller. */
    public static boolean touch(Connection connection, String credentialId, Use use) throws SQLException {
        return Sql.update(connection, TOUCH, arguments(credentialId, use, false)) == 1;
    }

    /** Returns whether a passkey with this id exists, within a transaction of the caller. */
    public static boolean exists(Connection connection, String credentialId) throws SQLException {
        return Sql.exists(connection, EXISTS, credentialId);
    }

    private static Object[] arguments(String credentialId, Use use, boolean advances) {
        long at = use.at().toEpochMilli();
        int eligible = use.backupEligible() ? 1 : 0;
        int backedUp = use.backedUp() ? 1 : 0;
        long count = use.signCount();
        return advances
                ? new Object[] {at, eligible, backedUp, count, credentialId, count, count}
                : new Object[] {at, eligible, backedUp, count, count, credentialId};
    }

    @Override
    public boolean rename(String userId, String credentialId, String name) {
        return sql.update(RENAME, name, credentialId, userId) == 1;
    }

    /** {@link #rename(String, String, String)} within a transaction of the caller. */
    public static boolean rename(Connection connection, String userId, String credentialId, String name)
            throws SQLException {
        return Sql.update(connection, RENAME, name, credentialId, userId) == 1;
    }

    @Override
    public Removal remove(String userId, String credentialId, boolean allowLast) {
        return sql.transaction(
                "remove a passkey",
                connection -> UserRows.lockOwner(connection, userId, credentialId)
                        ? remove(connection, userId, credentialId, allowLast)
                        : Removal.NOT_FOUND);
    }

    /** {@link #remove(String, String, boolean)} within a transaction of the caller, who has locked the user. */
    public static Removal remove(Connection connection, String userId, String credentialId, boolean allowLast)
            throws SQLException {
        // Looked up with the lock: another removal of this passkey may have held it.
        if (!owns(connection, userId, credentialId)) {
            return Removal.NOT_FOUND;
        }
        if (!allowLast && !hasAnother(connection, userId, credentialId)) {
            return Removal.LAST;
        }
        Sql.update(connection, REMOVE, credentialId, userId);
        Sql.update(connection, UNSEAL, credentialId);
        return Removal.REMOVED;
    }

    @Override
    public List<CredentialRecord> unsealed(int limit) {
        String last = "";
        while (true) {
            List<CredentialRow.Reading> page = sql.query(UNSEALED, CredentialRow::tryRead, last, limit);
            List<CredentialRecord> readable = readable(page);
            if (!readable.isEmpty() || page.size() < limit) {
                return readable;
            }
            last = page.get(page.size() - 1).credentialId();
        }
    }

    @Override
    public boolean seal(String credentialId, String seal) {
        return sql.insertIfAbsent(SEAL, seal, credentialId);
    }

    @Override
    public @Nullable UserRecord user(String userId) {
        return UserRows.find(sql, userId);
    }

    @Override
    public UserRecord enroll(UserRecord user) {
        return UserRows.enroll(sql, user);
    }

    /** {@link #enroll(UserRecord)} within a transaction of the caller. */
    public static UserRecord enroll(Connection connection, UserRecord user) throws SQLException {
        return UserRows.enroll(connection, user);
    }

    /** Returns the readable rows. Reports the others after the statement, so that no transaction waits for the consumer. */
    private List<CredentialRecord> readable(List<CredentialRow.Reading> rows) {
        List<CredentialRecord> credentials = new ArrayList<>(rows.size());
        for (CredentialRow.Reading row : rows) {
            if (row.credential() != null) {
                credentials.add(row.credential());
            } else {
                report(row.unreadable());
            }
        }
        return Collections.unmodifiableList(credentials);
    }

    /** A failing consumer must not break logins with other passkeys: its exception goes to the thread's handler. */
    private void report(UnreadableRow row) {
        try {
            unreadable.accept(row);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    /** Returns whether the user has another readable passkey; unreadable ones cannot sign in. */
    private static boolean hasAnother(Connection connection, String userId, String credentialId) throws SQLException {
        return Sql.query(connection, LIST, CredentialRow::tryRead, userId).stream()
                .anyMatch(row -> row.credential() != null && !row.credentialId().equals(credentialId));
    }

    private static boolean owns(Connection connection, String userId, String credentialId) throws SQLException {
        return Sql.exists(connection, OWNED, credentialId, userId);
    }

    private static long count(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, COUNT, row -> row.getLong(1), userId).get(0);
    }
}
