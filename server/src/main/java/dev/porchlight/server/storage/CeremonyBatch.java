// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.server.storage.CeremonyUnit.Login;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ceremonies of concurrent requests as one PostgreSQL statement. Not thread-safe.
 *
 * <p>The statement updates a row once, so the logins have different passkeys. A ceremony with the challenge of an earlier one
 * in the batch needs no statement: its challenge is used.
 *
 * <p>A login is written if its challenge was unused and its sign count grew. The session is inserted only if this statement
 * updates the passkey's row, which waits for a concurrent removal: a removed passkey cannot create a session.
 *
 * <p>Rows are locked in one order, so that two instances cannot deadlock: the passkeys, then the sessions that end, then the
 * challenges, each in key order. This includes the rows of logins with a stale count, which later statements write.
 */
final class CeremonyBatch {
    private static final String WRITE = """
            WITH passkey AS MATERIALIZED (
              SELECT 1 FROM passkey_credential WHERE credential_id = ANY (?::text[])
              ORDER BY credential_id FOR NO KEY UPDATE
            ), former AS MATERIALIZED (
              SELECT 1 FROM porchlight_sealed_entry WHERE kind = 'session' AND entry_key = ANY (?::text[])
                AND (SELECT count(*) FROM passkey) >= 0
              ORDER BY entry_key FOR UPDATE
            ), unit AS MATERIALIZED (
              SELECT u.*, a.locked_at IS NOT NULL AS user_locked, COALESCE(a.generation, 0) AS generation
                FROM unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::int[],
                ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
                WITH ORDINALITY AS u(challenge, expiry, credential, user_id, sign_count, used_at, eligible, backed_up,
                  session, owner, sealed, session_expiry, former, place)
                LEFT JOIN porchlight_user_access a ON a.user_id = u.user_id
                WHERE (SELECT count(*) FROM former) >= 0
            ), used AS (
              INSERT INTO passkey_used_challenge (expires_at, challenge_id)
              SELECT expiry, challenge FROM unit WHERE challenge IS NOT NULL ORDER BY expiry, challenge
              ON CONFLICT (expires_at, challenge_id) DO NOTHING RETURNING challenge_id
            ), login AS (
              SELECT u.* FROM unit u LEFT JOIN used ON used.challenge_id = u.challenge
              WHERE u.credential IS NOT NULL AND NOT u.user_locked AND (u.challenge IS NULL OR used.challenge_id IS NOT NULL)
            ), advanced AS (
              UPDATE passkey_credential AS c
              SET sign_count = l.sign_count, last_used_at = l.used_at, backup_eligible = l.eligible, backed_up = l.backed_up
              FROM login l
              WHERE c.credential_id = l.credential
                AND (c.sign_count < l.sign_count OR (c.sign_count = 0 AND l.sign_count = 0))
              RETURNING l.place
            ), opened AS (
              INSERT INTO porchlight_sealed_entry (kind, entry_key, owner, sealed, expires_at, created_at)
              SELECT 'session', l.session, l.owner, l.sealed, l.session_expiry, l.used_at
              FROM login l JOIN advanced USING (place) WHERE l.session IS NOT NULL
            ), ended AS (
              DELETE FROM porchlight_sealed_entry AS e USING login l JOIN advanced USING (place)
              WHERE e.kind = 'session' AND e.entry_key = l.former
            )
            SELECT u.challenge IS NULL OR used.challenge_id IS NOT NULL, advanced.place IS NOT NULL,
              u.user_locked, u.generation
            FROM unit u LEFT JOIN used ON used.challenge_id = u.challenge LEFT JOIN advanced USING (place)
            ORDER BY u.place""";

    /** The result of a unit: whether its challenge was unused and its passkey was updated, and the access of its user. */
    private record Written(boolean free, boolean advanced, UserAccess user) {}

    private final List<PendingUnit<Result>> units;
    private final List<PendingUnit<Result>> copies;

    private CeremonyBatch(List<PendingUnit<Result>> units, List<PendingUnit<Result>> copies) {
        this.units = units;
        this.copies = copies;
    }

    /** Removes and returns ceremonies that can share a batch. */
    static List<PendingUnit<?>> take(List<PendingUnit<?>> ceremonies) {
        Set<String> challenges = new HashSet<>();
        Set<String> passkeys = new HashSet<>();
        List<PendingUnit<?>> taken = new ArrayList<>();
        ceremonies.removeIf(pending -> {
            UsedChallenge challenge = unit(pending).challenge();
            Login login = unit(pending).login();
            boolean copy = challenge != null && challenges.contains(challenge.id());
            if (!copy && login != null && !passkeys.add(login.credentialId())) {
                return false;
            }
            if (challenge != null) {
                challenges.add(challenge.id());
            }
            return taken.add(pending);
        });
        return taken;
    }

    /** A batch of ceremonies that were taken together. */
    @SuppressWarnings("unchecked") // a ceremony's result is a Result
    static CeremonyBatch of(List<PendingUnit<?>> taken) {
        Set<String> challenges = new HashSet<>();
        List<PendingUnit<Result>> units = new ArrayList<>();
        List<PendingUnit<Result>> copies = new ArrayList<>();
        for (PendingUnit<?> pending : taken) {
            UsedChallenge challenge = unit(pending).challenge();
            boolean first = challenge == null || challenges.add(challenge.id());
            (first ? units : copies).add((PendingUnit<Result>) pending);
        }
        return new CeremonyBatch(units, copies);
    }

    void write(Connection connection) throws SQLException {
        List<Written> written = run(connection);
        for (int i = 0; i < units.size(); i++) {
            PendingUnit<Result> pending = units.get(i);
            pending.result(result(connection, unit(pending), written.get(i)));
        }
        copies.forEach(copy -> copy.result(Result.CHALLENGE_USED));
    }

    private static Result result(Connection connection, CeremonyUnit unit, Written written) throws SQLException {
        Login login = unit.login();
        if (!written.free()) {
            return Result.CHALLENGE_USED;
        }
        if (written.user().locked()) {
            return Result.USER_LOCKED;
        }
        if (login != null) {
            login.generation().accept(written.user().generation());
        }
        return login == null || written.advanced() ? Result.DONE : CeremonyUnit.writeStale(connection, login);
    }

    private List<Written> run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            var columns = new Columns(connection, statement);
            columns.set("text", ofLogins(Login::credentialId));
            columns.set("text", ofLogins(Login::formerSession));
            columns.add(
                    "text",
                    unit -> unit.challenge() == null ? null : unit.challenge().id());
            columns.add(
                    "bigint",
                    unit -> unit.challenge() == null ? null : unit.challenge().expiresAt());
            columns.addOfLogin("text", login -> login.grew() ? login.credentialId() : null);
            columns.addOfLogin("text", Login::userId);
            columns.addOfLogin("bigint", login -> login.use().signCount());
            columns.addOfLogin("bigint", login -> login.use().at().toEpochMilli());
            columns.addOfLogin("int", login -> login.use().backupEligible() ? 1 : 0);
            columns.addOfLogin("int", login -> login.use().backedUp() ? 1 : 0);
            columns.addOfSession("text", SealedEntry::key);
            columns.addOfSession("text", SealedEntry::owner);
            columns.addOfSession("text", SealedEntry::sealed);
            columns.addOfSession("bigint", SealedEntry::expiresAt);
            columns.addOfLogin("text", Login::formerSession);
            try (ResultSet rows = statement.executeQuery()) {
                List<Written> written = new ArrayList<>(units.size());
                while (rows.next()) {
                    written.add(new Written(
                            rows.getBoolean(1),
                            rows.getBoolean(2),
                            new UserAccess(rows.getBoolean(3), rows.getLong(4))));
                }
                return written;
            }
        }
    }

    private Object[] ofLogins(Function<Login, @Nullable String> key) {
        return units.stream()
                .map(pending -> unit(pending).login())
                .filter(Objects::nonNull)
                .map(key)
                .filter(Objects::nonNull)
                .toArray();
    }

    private static CeremonyUnit unit(PendingUnit<?> pending) {
        return (CeremonyUnit) pending.unit();
    }

    /** The parameters of the statement: an array per column, with an element per unit. */
    private final class Columns {
        private final Connection connection;
        private final PreparedStatement statement;
        private int count;

        Columns(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        void add(String type, Function<CeremonyUnit, @Nullable Object> column) throws SQLException {
            @Nullable Object[] values = new @Nullable Object[units.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = column.apply(unit(units.get(i)));
            }
            set(type, values);
        }

        void set(String type, @Nullable Object[] values) throws SQLException {
            statement.setArray(++count, connection.createArrayOf(type, values));
        }

        void addOfLogin(String type, Function<Login, @Nullable Object> column) throws SQLException {
            add(type, unit -> unit.login() == null ? null : column.apply(unit.login()));
        }

        void addOfSession(String type, Function<SealedEntry, Object> column) throws SQLException {
            addOfLogin(type, login -> login.session() == null ? null : column.apply(login.session()));
        }
    }
}
