// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.TableMigration;
import dev.porchlight.passkey.store.Migration;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of the service, in addition to those of the passkey library, for SQLite and PostgreSQL, which partitions some
 * of them by time: {@link Partitioning}. docs/operations/storage.md describes their columns.
 */
public final class ServerTables {
    private static final String VERSION_1 = """
            CREATE TABLE IF NOT EXISTS porchlight_sealed_entry (
              kind       TEXT NOT NULL,
              entry_key  TEXT NOT NULL,
              owner      TEXT NOT NULL,
              sealed     TEXT NOT NULL,
              created_at BIGINT NOT NULL,
              expires_at BIGINT NOT NULL,
              PRIMARY KEY (kind, entry_key)
            );
            CREATE INDEX IF NOT EXISTS porchlight_sealed_entry_by_owner ON porchlight_sealed_entry (kind, owner, created_at);
            CREATE INDEX IF NOT EXISTS porchlight_sealed_entry_by_expiry ON porchlight_sealed_entry (expires_at);
            CREATE TABLE IF NOT EXISTS porchlight_signing_key (
              kid        TEXT NOT NULL PRIMARY KEY,
              created_at BIGINT NOT NULL,
              sealed     TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_stable_key (
              purpose TEXT NOT NULL PRIMARY KEY,
              sealed  TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_audit (
              chain          TEXT NOT NULL,
              seq            BIGINT NOT NULL,
              at             BIGINT NOT NULL,
              action         TEXT NOT NULL,
              subject        TEXT NOT NULL,
              outcome        TEXT NOT NULL,
              reason         TEXT NOT NULL,
              operator       TEXT NOT NULL DEFAULT '',
              client_id      TEXT NOT NULL DEFAULT '',
              group_name     TEXT NOT NULL DEFAULT '',
              changed        TEXT NOT NULL DEFAULT '',
              further        BIGINT NOT NULL DEFAULT 0,
              correlation_id TEXT NOT NULL,
              follows        TEXT NOT NULL DEFAULT '',
              hash           TEXT NOT NULL,
              PRIMARY KEY (chain, seq)
            );
            CREATE INDEX IF NOT EXISTS porchlight_audit_by_time ON porchlight_audit (at);
            CREATE INDEX IF NOT EXISTS porchlight_audit_by_correlation ON porchlight_audit (correlation_id);
            CREATE INDEX IF NOT EXISTS porchlight_audit_by_subject ON porchlight_audit (subject, at);
            CREATE INDEX IF NOT EXISTS porchlight_audit_by_client ON porchlight_audit (client_id, at)
              WHERE action = 'client_authorize' AND outcome = 'ok';
            CREATE TABLE IF NOT EXISTS porchlight_audit_subject (
              subject TEXT NOT NULL PRIMARY KEY,
              user_id TEXT NOT NULL
            );
            CREATE INDEX IF NOT EXISTS porchlight_audit_subject_by_user ON porchlight_audit_subject (user_id);
            CREATE TABLE IF NOT EXISTS porchlight_audit_head (
              chain TEXT NOT NULL PRIMARY KEY,
              seq   BIGINT NOT NULL,
              hash  TEXT NOT NULL,
              seal  TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_audit_checkpoint (
              chain    TEXT NOT NULL,
              from_seq BIGINT NOT NULL,
              to_seq   BIGINT NOT NULL,
              hash     TEXT NOT NULL,
              seal     TEXT NOT NULL,
              PRIMARY KEY (chain, from_seq)
            );
            CREATE TABLE IF NOT EXISTS porchlight_audit_anchor (
              name   TEXT NOT NULL PRIMARY KEY,
              anchor TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_user_access (
              user_id    TEXT NOT NULL PRIMARY KEY,
              locked_at  BIGINT,
              generation BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_passkey_source (
              credential_id TEXT NOT NULL PRIMARY KEY,
              user_agent    TEXT NOT NULL,
              imported_at   BIGINT
            );
            CREATE TABLE IF NOT EXISTS porchlight_removed_passkey (
              credential_hash TEXT NOT NULL PRIMARY KEY,
              removed_at      BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_name (
              name    TEXT NOT NULL PRIMARY KEY,
              user_id TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_erased_user (
              name_hash  TEXT NOT NULL PRIMARY KEY,
              erased_at  BIGINT NOT NULL,
              locked_at  BIGINT,
              generation BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_client (
              client_id   TEXT NOT NULL PRIMARY KEY,
              name        TEXT NOT NULL,
              secret_hash TEXT,
              settings    TEXT NOT NULL,
              generation  BIGINT NOT NULL,
              created_at  BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_group (
              group_name TEXT NOT NULL PRIMARY KEY
            );
            CREATE TABLE IF NOT EXISTS porchlight_group_member (
              group_name TEXT NOT NULL,
              user_id    TEXT NOT NULL,
              PRIMARY KEY (group_name, user_id)
            );
            CREATE INDEX IF NOT EXISTS porchlight_group_member_by_user ON porchlight_group_member (user_id);
            CREATE TABLE IF NOT EXISTS porchlight_openid_authorization (
              authorization_id TEXT NOT NULL PRIMARY KEY,
              client_id        TEXT NOT NULL,
              session          TEXT NOT NULL,
              owner            TEXT NOT NULL,
              sealed           TEXT NOT NULL,
              step             INTEGER NOT NULL,
              expires_at       BIGINT NOT NULL
            );
            CREATE INDEX IF NOT EXISTS porchlight_openid_authorization_by_session ON porchlight_openid_authorization (session);
            CREATE INDEX IF NOT EXISTS porchlight_openid_authorization_by_owner ON porchlight_openid_authorization (owner);
            CREATE INDEX IF NOT EXISTS porchlight_openid_authorization_by_client ON porchlight_openid_authorization (client_id);
            CREATE INDEX IF NOT EXISTS porchlight_openid_authorization_by_expiry ON porchlight_openid_authorization (expires_at);
            CREATE TABLE IF NOT EXISTS porchlight_openid_consent (
              user_id   TEXT NOT NULL,
              client_id TEXT NOT NULL,
              scopes    TEXT NOT NULL,
              agreed_at BIGINT NOT NULL,
              PRIMARY KEY (user_id, client_id)
            );
            CREATE TABLE IF NOT EXISTS porchlight_openid_used (
              token_hash TEXT NOT NULL PRIMARY KEY,
              expires_at BIGINT NOT NULL
            );
            CREATE INDEX IF NOT EXISTS porchlight_openid_used_by_expiry ON porchlight_openid_used (expires_at);
            CREATE TABLE IF NOT EXISTS porchlight_reported_event (
              event_hash  TEXT NOT NULL PRIMARY KEY,
              reported_at BIGINT NOT NULL,
              events      BIGINT NOT NULL
            );
            CREATE INDEX IF NOT EXISTS porchlight_reported_event_by_time ON porchlight_reported_event (reported_at);
            CREATE TABLE IF NOT EXISTS porchlight_failed_ceremony (
              ceremony_id      TEXT NOT NULL PRIMARY KEY,
              kind             TEXT NOT NULL,
              trace_hash       TEXT NOT NULL,
              code_hash        TEXT NOT NULL,
              correlation_hash TEXT NOT NULL,
              client_hash      TEXT NOT NULL,
              owner            TEXT NOT NULL,
              address          TEXT NOT NULL,
              sealed           TEXT NOT NULL,
              created_at       BIGINT NOT NULL,
              expires_at       BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_challenge_epoch (
              epoch BIGINT NOT NULL PRIMARY KEY
            );
            CREATE TABLE IF NOT EXISTS porchlight_probe (
              probe_id INTEGER NOT NULL PRIMARY KEY,
              writes   BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_lock (
              name TEXT NOT NULL PRIMARY KEY
            );
            """;

    /** On PostgreSQL, keys of a search are ordered by their characters, as always on SQLite. */
    private static final String VERSION_2 = """
            CREATE TABLE IF NOT EXISTS porchlight_profile (
              user_id        TEXT NOT NULL PRIMARY KEY,
              name           TEXT,
              given_name     TEXT,
              family_name    TEXT,
              email          TEXT,
              email_verified INTEGER NOT NULL,
              locale         TEXT,
              picture        TEXT,
              claims         TEXT,
              updated_at     BIGINT NOT NULL,
              name_key       TEXT COLLATE "C",
              family_key     TEXT COLLATE "C",
              email_key      TEXT COLLATE "C"
            );
            CREATE INDEX IF NOT EXISTS porchlight_profile_by_name ON porchlight_profile (name_key, user_id);
            CREATE INDEX IF NOT EXISTS porchlight_profile_by_family ON porchlight_profile (family_key, user_id);
            CREATE INDEX IF NOT EXISTS porchlight_profile_by_email ON porchlight_profile (email_key, user_id);
            CREATE TABLE IF NOT EXISTS porchlight_outbox (
              delivery_id     TEXT NOT NULL PRIMARY KEY,
              kind            TEXT NOT NULL,
              target          TEXT NOT NULL,
              owner           TEXT NOT NULL,
              type            TEXT NOT NULL,
              sealed          TEXT NOT NULL,
              attempts        BIGINT NOT NULL,
              created_at      BIGINT NOT NULL,
              next_attempt_at BIGINT,
              delivered_at    BIGINT,
              last_error      TEXT
            );
            CREATE INDEX IF NOT EXISTS porchlight_outbox_by_next_attempt ON porchlight_outbox (kind, target, next_attempt_at)
              WHERE next_attempt_at IS NOT NULL;
            CREATE INDEX IF NOT EXISTS porchlight_outbox_by_target ON porchlight_outbox (kind, target, created_at);
            CREATE INDEX IF NOT EXISTS porchlight_outbox_by_owner ON porchlight_outbox (owner) WHERE owner <> '';
            CREATE TABLE IF NOT EXISTS porchlight_webhook (
              webhook_id TEXT NOT NULL PRIMARY KEY,
              url        TEXT NOT NULL,
              events     TEXT NOT NULL,
              enabled    INTEGER NOT NULL,
              created_at BIGINT NOT NULL,
              sealed     TEXT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_event_cursor (
              webhook_id TEXT NOT NULL,
              chain      TEXT NOT NULL,
              seq        BIGINT NOT NULL,
              PRIMARY KEY (webhook_id, chain)
            );
            ALTER TABLE porchlight_group ADD COLUMN claims TEXT;
            CREATE TABLE IF NOT EXISTS porchlight_operator (
              user_id    TEXT NOT NULL PRIMARY KEY,
              role       TEXT NOT NULL,
              created_at BIGINT NOT NULL
            );
            CREATE TABLE IF NOT EXISTS porchlight_api_token (
              name         TEXT NOT NULL PRIMARY KEY,
              role         TEXT NOT NULL,
              token_hash   TEXT NOT NULL UNIQUE,
              created_at   BIGINT NOT NULL,
              created_by   TEXT NOT NULL,
              expires_at   BIGINT,
              last_used_at BIGINT
            );
            CREATE INDEX IF NOT EXISTS porchlight_audit_by_operator ON porchlight_audit (operator, at)
              WHERE operator <> '';
            CREATE TABLE IF NOT EXISTS porchlight_erased_spelling (
              id_hash    TEXT NOT NULL PRIMARY KEY,
              erased_at  BIGINT NOT NULL,
              locked_at  BIGINT,
              generation BIGINT NOT NULL
            );
            """;

    private static final String VERSION_4 = """
            CREATE TABLE IF NOT EXISTS porchlight_recovery_code (
              code_hash  TEXT NOT NULL PRIMARY KEY,
              user_id    TEXT NOT NULL,
              created_at BIGINT NOT NULL,
              started_at BIGINT,
              used_at    BIGINT
            );
            CREATE INDEX IF NOT EXISTS porchlight_recovery_code_by_user ON porchlight_recovery_code (user_id);
            """;

    private static final String VERSION_2_ON_POSTGRES = VERSION_2 + """
            ALTER TABLE porchlight_name ALTER COLUMN name TYPE TEXT COLLATE "C";
            """;

    private static final String VERSION_3 = "ALTER TABLE porchlight_user_access ADD COLUMN last_sign_in_at BIGINT;";

    private static final TableMigration TABLES = new TableMigration(
            "server",
            List.of(
                    TableMigration.Step.of(1, VERSION_1, ""),
                    new TableMigration.Step(1, VERSION_2.replace(" COLLATE \"C\"", ""), VERSION_2_ON_POSTGRES, ""),
                    TableMigration.Step.of(1, VERSION_3, ""),
                    TableMigration.Step.of(1, VERSION_4, "")));

    public static final int VERSION = TABLES.version();

    private ServerTables() {}

    /** Creates all tables, the passkey library's first, and on PostgreSQL their partitions. */
    public static void migrate(DataSource database) {
        create(database);
        Partitioning.run(database, System.currentTimeMillis());
    }

    static void create(DataSource database) {
        Migration.run(database);
        TABLES.run(database);
    }
}
