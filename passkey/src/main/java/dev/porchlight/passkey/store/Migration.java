// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Makes the tables, on SQLite and PostgreSQL, from one text. It can be run again at every start, and by several
 * instances at once.
 */
public final class Migration {
    /** The version of the tables this library works with, kept in {@code passkey_schema}. */
    public static final int VERSION = 2;

    /**
     * Keeps instances that migrate at once apart, as the first statement of a text that ends with {@link #UNLOCK}.
     *
     * <p>It is there for PostgreSQL, where two that create one table at once collide, "if not exists" or not: it takes a
     * lock that ends with the transaction, which the whole text is when it is run as one. It has to be a statement that
     * returns no rows and that SQLite takes too. SQLite knows no such lock and needs none, and reads the brackets as the
     * quotes of a column's alias.
     */
    public static final String LOCK = """
            CREATE TEMPORARY TABLE IF NOT EXISTS passkey_migration_lock AS
              SELECT ARRAY[pg_advisory_xact_lock(8096321) IS NULL] FROM (SELECT 1 AS "array") AS one;
            """;

    /** Ends what {@link #LOCK} began. */
    public static final String UNLOCK = "DROP TABLE IF EXISTS passkey_migration_lock;\n";

    /**
     * The tables, as SQL that SQLite and PostgreSQL both take: statements parted by semicolons, each of which does
     * nothing if it was run before. Semicolons stand nowhere else in it, so it may be split at them for drivers that
     * run one statement at a time.
     *
     * <p>Version 2 added {@code passkey_seal}: a table, since SQLite cannot add a column only if it is not there.
     *
     * <p>A passkey needs its first five columns and no more; a user, a handle only once he registers a passkey here.
     */
    public static final String WEBAUTHN_MIGRATION_SQL = LOCK + """
            CREATE TABLE IF NOT EXISTS passkey_user (
              user_id      TEXT NOT NULL PRIMARY KEY,
              user_handle  TEXT UNIQUE,
              name         TEXT,
              display_name TEXT
            );
            CREATE TABLE IF NOT EXISTS passkey_credential (
              credential_id         TEXT NOT NULL PRIMARY KEY,
              user_id               TEXT NOT NULL,
              public_key            TEXT NOT NULL,
              sign_count            BIGINT NOT NULL DEFAULT 0,
              origin                TEXT NOT NULL,
              user_handle           TEXT,
              transports            TEXT,
              backup_eligible       INTEGER,
              backed_up             INTEGER,
              user_verified         INTEGER,
              verification_required INTEGER,
              discoverable          INTEGER,
              aaguid                TEXT,
              attestation_format    TEXT,
              attestation_trust     TEXT,
              name                  TEXT,
              created_at            BIGINT,
              last_used_at          BIGINT
            );
            CREATE INDEX IF NOT EXISTS passkey_credential_by_user ON passkey_credential (user_id);
            CREATE TABLE IF NOT EXISTS passkey_challenge (
              user_id    TEXT NOT NULL,
              challenge  TEXT NOT NULL,
              expires_at BIGINT NOT NULL,
              PRIMARY KEY (user_id, challenge)
            );
            CREATE INDEX IF NOT EXISTS passkey_challenge_by_expiry ON passkey_challenge (expires_at);
            CREATE TABLE IF NOT EXISTS passkey_schema (
              part    TEXT NOT NULL PRIMARY KEY,
              version INTEGER NOT NULL
            );
            CREATE TABLE IF NOT EXISTS passkey_seal (
              credential_id TEXT NOT NULL PRIMARY KEY,
              seal          TEXT NOT NULL
            );
            INSERT INTO passkey_schema (part, version) VALUES ('passkey', 2)
              ON CONFLICT (part) DO UPDATE SET version = excluded.version WHERE passkey_schema.version < excluded.version;
            """ + UNLOCK;

    private Migration() {}

    /**
     * Brings the tables to {@link #VERSION}. Where they are, it only reads, so that the database user of a running
     * service needs no right to create tables.
     *
     * @throws StorageException if the database cannot be reached, or its tables are of a newer version
     */
    public static void run(DataSource dataSource) {
        run(dataSource, "passkey", VERSION, WEBAUTHN_MIGRATION_SQL);
    }

    /**
     * Brings other tables on the same database to a version in the same way. Their text writes the version under the
     * part's name into {@code passkey_schema}, which must exist.
     */
    public static void run(DataSource dataSource, String part, int wanted, String sql) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                migrate(statement, part, wanted, sql);
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (StorageException e) {
            throw e;
        } catch (SQLException | RuntimeException e) { // a pool that opens itself now may throw either
            throw new StorageException("the " + part + " tables could not be made", e);
        }
    }

    private static void migrate(Statement statement, String part, int wanted, String sql) throws SQLException {
        int version = version(statement, part);
        if (version < wanted) {
            // Both drivers run the whole text here; with execute, that of SQLite would run its first statement only.
            statement.executeUpdate(sql);
            version = version(statement, part);
        }
        if (version != wanted) {
            throw new StorageException("the " + part + " tables are of version " + version + ", and this release knows "
                    + wanted + ": run the release that made them, or a newer one");
        }
    }

    /** 0 if there are no tables yet, which both databases tell by refusing to read them. */
    private static int version(Statement statement, String part) {
        try (ResultSet row = statement.executeQuery("SELECT version FROM passkey_schema WHERE part = '" + part + "'")) {
            return row.next() ? row.getInt(1) : 0;
        } catch (SQLException e) {
            return 0;
        }
    }
}
