// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableMigration;
import dev.porchlight.base.sql.TableVersion;
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

    private Migration() {}

    /**
     * Brings the tables to {@link #VERSION}. Where they are, it only reads, so that the database user of a running
     * service needs no right to create tables.
     *
     * @throws StorageException if the database cannot be reached, or its tables are of a newer version that this release
     *     cannot work with
     */
    public static void run(DataSource dataSource) {
        TableMigration.run(dataSource, "passkey", VERSION, WEBAUTHN_MIGRATION_SQL);
    }
}
