// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableMigration;
import java.util.List;
import javax.sql.DataSource;

/** Creates the tables, on SQLite, PostgreSQL, MySQL and MariaDB. Safe to run at every start, and by several instances at once. */
public final class Migration {
    /**
     * The SQL that creates the tables, for both SQLite and PostgreSQL: idempotent statements separated by semicolons. It has no
     * other semicolons, so drivers that run one statement at a time can split it.
     *
     * <p>It takes no lock, because no locking statement works on both databases. If two connections create a table at the same time
     * on PostgreSQL, one of them fails despite "if not exists": {@link #run} then retries, and other callers should too.
     *
     * <p>It creates the tables of the newest version, and does not upgrade those of an earlier one: {@link #run} does both.
     *
     * <p>A passkey needs only its first five columns; a user needs a handle only after registering a passkey here.
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
              version INTEGER NOT NULL,
              oldest  INTEGER NOT NULL
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
            INSERT INTO passkey_schema (part, version, oldest) VALUES ('passkey', 1, 1) ON CONFLICT (part) DO NOTHING;
            """;

    /**
     * The same tables for MySQL and MariaDB. Keys are binary, because the collations of both servers that compare exactly
     * have different names. Every column holds whatever the library accepts, so that a server without strict mode truncates
     * nothing.
     */
    public static final String WEBAUTHN_MIGRATION_SQL_MYSQL = """
            CREATE TABLE IF NOT EXISTS passkey_user (
              user_id      VARBINARY(1024) NOT NULL PRIMARY KEY,
              user_handle  VARBINARY(255) UNIQUE,
              name         TEXT,
              display_name TEXT
            ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            CREATE TABLE IF NOT EXISTS passkey_credential (
              credential_id         VARBINARY(1364) NOT NULL PRIMARY KEY,
              user_id               VARBINARY(1024) NOT NULL,
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
              last_used_at          BIGINT,
              KEY passkey_credential_by_user (user_id)
            ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            CREATE TABLE IF NOT EXISTS passkey_challenge (
              user_id    VARBINARY(1024) NOT NULL,
              challenge  VARBINARY(1024) NOT NULL,
              expires_at BIGINT NOT NULL,
              PRIMARY KEY (user_id, challenge),
              KEY passkey_challenge_by_expiry (expires_at)
            ) ENGINE = InnoDB;
            CREATE TABLE IF NOT EXISTS passkey_schema (
              part    VARBINARY(64) NOT NULL PRIMARY KEY,
              version INTEGER NOT NULL,
              oldest  INTEGER NOT NULL
            ) ENGINE = InnoDB;
            CREATE TABLE IF NOT EXISTS passkey_seal (
              credential_id VARBINARY(1364) NOT NULL PRIMARY KEY,
              seal          TEXT NOT NULL
            ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            CREATE TABLE IF NOT EXISTS passkey_used_challenge (
              expires_at   BIGINT NOT NULL,
              challenge_id VARBINARY(255) NOT NULL,
              PRIMARY KEY (expires_at, challenge_id)
            ) ENGINE = InnoDB;
            CREATE TABLE IF NOT EXISTS passkey_secret (
              name   VARBINARY(255) NOT NULL PRIMARY KEY,
              secret TEXT NOT NULL
            ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            CREATE TABLE IF NOT EXISTS passkey_decoy (
              name   VARBINARY(255) NOT NULL PRIMARY KEY,
              shapes MEDIUMTEXT NOT NULL
            ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            INSERT INTO passkey_schema (part, version, oldest) VALUES ('passkey', 1, 1) ON DUPLICATE KEY UPDATE version = version;
            """;

    /** The steps of the versions. The first becomes a copy of today's text when there is a second one. */
    private static final TableMigration TABLES = new TableMigration(
            "passkey", List.of(TableMigration.Step.of(1, WEBAUTHN_MIGRATION_SQL, WEBAUTHN_MIGRATION_SQL_MYSQL)));

    /** The table version of this release, stored in {@code passkey_schema}. */
    public static final int VERSION = TABLES.version();

    private static final String TOUCH_VERSION = "UPDATE passkey_schema SET version = version WHERE part = 'passkey'";

    private Migration() {}

    /**
     * Migrates the tables to {@link #VERSION}. If they are up to date it only reads, so that the database user of a running
     * service need not be allowed to create tables.
     *
     * @throws dev.porchlight.base.sql.UnsupportedDatabaseException if the database is another product
     * @throws StorageException if the database cannot be reached, or its tables have a newer version that this release
     *     cannot use
     */
    public static void run(DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        TABLES.run(dataSource);
        // The stores rely on the number of matched rows, which the drivers report by default.
        if (sql.dialect() == SqlDialect.MYSQL && sql.update(TOUCH_VERSION) != 1) {
            throw new StorageException("the driver reports changed rows instead of matched rows:"
                    + " remove useAffectedRows=true from the JDBC URL");
        }
    }
}
