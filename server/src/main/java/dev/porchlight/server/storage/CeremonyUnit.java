// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.CredentialStore.Use;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.server.audit.AuditEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a login: the used challenge, the sign count, the session and the audit row. For a refusal, the challenge and
 * the audit row. On PostgreSQL the units of concurrent requests become one statement.
 *
 * @param challenge the challenge to mark as used; null if that is done elsewhere
 * @param login written if the challenge was unused; null for a refusal
 * @param events the audit row for each result, or null for none
 */
public record CeremonyUnit(
        @Nullable UsedChallenge challenge, @Nullable Login login, Function<Result, @Nullable AuditEvent> events)
        implements Unit<Result> {

    /**
     * A verified login.
     *
     * @param userId the owner of the passkey, possibly locked
     * @param grew whether the sign count was greater than the stored one
     * @param refuseStale whether a sign count that did not grow refuses the login
     * @param session the session to create, or null
     * @param formerSession the key of a session that this one replaces, or null
     * @param generation receives the generation of the user's access, possibly more than once
     */
    public record Login(
            String credentialId,
            String userId,
            Use use,
            boolean grew,
            boolean refuseStale,
            @Nullable SealedEntry session,
            @Nullable String formerSession,
            LongConsumer generation) {}

    @Override
    public Result write(Connection connection) throws SQLException {
        if (challenge != null && !SqlUsedChallenges.use(connection, challenge.id(), challenge.expiresAt())) {
            return Result.CHALLENGE_USED;
        }
        if (login == null) {
            return Result.DONE;
        }
        UserAccess user = UserAccess.read(connection, login.userId());
        if (user.locked()) {
            return Result.USER_LOCKED;
        }
        login.generation().accept(user.generation());
        boolean advanced = login.grew() && SqlCredentialStore.advance(connection, login.credentialId(), login.use());
        if (!advanced) {
            return writeStale(connection, login);
        }
        writeSession(connection, login);
        return Result.DONE;
    }

    /** Writes the rest of a login whose sign count did not grow, or whose passkey was removed. */
    static Result writeStale(Connection connection, Login login) throws SQLException {
        String id = login.credentialId();
        if (login.refuseStale()) {
            return SqlCredentialStore.exists(connection, id) ? Result.STALE_COUNT : Result.PASSKEY_GONE;
        }
        if (!SqlCredentialStore.touch(connection, id, login.use())) {
            return Result.PASSKEY_GONE;
        }
        writeSession(connection, login);
        return Result.DONE_WITH_STALE_COUNT;
    }

    @Override
    public @Nullable AuditEvent event(Result result) {
        return events.apply(result);
    }

    private static void writeSession(Connection connection, Login login) throws SQLException {
        if (login.session() != null) {
            writeSession(
                    connection,
                    login.session(),
                    login.formerSession(),
                    login.use().at().toEpochMilli());
        }
    }

    /** Stores a session, and removes the one that it replaces, if there is one. */
    public static void writeSession(Connection connection, SealedEntry session, @Nullable String former, long now)
            throws SQLException {
        SqlSealedEntries.put(connection, session, now);
        if (former != null) {
            SqlSealedEntries.remove(connection, SealedEntry.SESSION, former);
        }
    }
}
