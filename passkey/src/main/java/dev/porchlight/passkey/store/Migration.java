// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Creates the tables, on SQLite and PostgreSQL. Safe to run at every start, and by several instances at once. */
public final class Migration {
    /** The version of the tables this library works with, kept in {@code passkey_schema}. */
    public static final int VERSION = 4;

    /**
     * The tables, as SQL for SQLite and PostgreSQL alike: idempotent statements separated by semicolons. There are no other
     * semicolons in it, so it can be split at them for drivers that run one statement at a time.
     *
     * <p>It takes no lock, since no statement takes one on both databases. If two connections create a table at once on
     * PostgreSQL, one of them fails in spite of "if not exists": {@link #run} then retries, and so should any other caller.
     *
     * <p>Version 2 added {@code passkey_seal}: a table, since SQLite cannot add a column only if it is not there. Version 3
     * added {@code passkey_used_challenge} and {@code passkey_secret}, version 4 {@code passkey_decoy}. The row {@code passkey-oldest} says which releases
     * may work with the tables, see {@link TableVersion}.
     *
     * <p>A passkey needs only its first five columns; a user needs a handle only once they register a passkey here.
     */
    public static final String WEBAUTHN_MIGRATION_SQL = """
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
            CREATE TABLE IF NOT EXISTS passkey_used_challenge (
              expires_at   BIGINT NOT NULL,
              challenge_id TEXT NOT NULL,
              PRIMARY KEY (expires_at, challenge_id)
            );
            CREATE TABLE IF NOT EXISTS passkey_secret (
              name   TEXT NOT NULL PRIMARY KEY,
              secret TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS passkey_decoy (
              name   TEXT NOT NULL PRIMARY KEY,
              shapes TEXT NOT NULL
            );
            INSERT INTO passkey_schema (part, version) VALUES ('passkey-oldest', 2), ('passkey', 4)
              ON CONFLICT (part) DO UPDATE SET version = excluded.version WHERE passkey_schema.version < excluded.version;
            """;

    /** PostgreSQL's words for a table, another thing, or a row of the catalogue that is there already. */
    private static final Set<String> RACES = Set.of("42P07", "42710", "23505");

    private Migration() {}

    /**
     * Brings the tables to {@link #VERSION}. Where they are, it only reads, so that the database user of a running
     * service needs no right to create tables.
     *
     * @throws StorageException if the database cannot be reached, or its tables are of a newer version that this release
     *     cannot work with
     */
    public static void run(DataSource dataSource) {
        run(dataSource, "passkey", VERSION, WEBAUTHN_MIGRATION_SQL);
    }

    /**
     * Brings other tables on the same database to a version in the same way. Their text writes the version under the
     * part's name into {@code passkey_schema}, which must exist, and under the name and {@code -oldest} the oldest version
     * whose releases may work with them.
     */
    public static void run(DataSource dataSource, String part, int wanted, String sql) {
        Sql statements = new Sql(dataSource);
        if (TableVersion.read(statements, part).version() < wanted) {
            make(new Retry(dataSource), part, sql);
        }
        TableVersion found = TableVersion.read(statements, part);
        if (!found.suits(wanted)) {
            throw new StorageException("the " + part + " tables are of version " + found.version()
                    + ", and this release knows " + wanted + ": run the release that made them, or a newer one");
        }
    }

    /**
     * Statement by statement: distributed databases define one thing in a transaction. The version is written last, so
     * that whoever is interrupted begins again.
     */
    private static void make(Retry connections, String part, String sql) {
        try {
            for (String statement : sql.split(";", -1)) {
                if (!statement.isBlank()) {
                    Sql.Work<Integer> making = connection -> Sql.update(connection, statement);
                    connections.run(Migration::isRace, connection -> PooledConnections.finished(connection, making));
                }
            }
        } catch (SQLException | RuntimeException e) { // a pool that opens itself now may throw either
            throw new StorageException("the " + part + " tables could not be made", e);
        }
    }

    /** Somebody else was faster: the table is there, or its name in the catalogue, or a row of that was changed. */
    private static boolean isRace(SQLException e) {
        String state = e.getSQLState();
        return Retry.isRolledBack(e)
                || state != null && RACES.contains(state)
                || "XX000".equals(state) && String.valueOf(e.getMessage()).contains("concurrently");
    }
}
