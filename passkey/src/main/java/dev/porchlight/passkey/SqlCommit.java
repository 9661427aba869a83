// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Commits in one transaction, when passkeys and used challenges are in the same database. Thread-safe. */
record SqlCommit(Sql sql, SqlUsedChallenges challenges) implements CeremonyCommit {
    @Override
    public Result commit(Authentication unit) {
        String id = unit.assertion().credential().credentialId();
        return write("finish a login", unit.challenge(), connection -> {
            if (unit.assertion().signCountGrew() && SqlCredentialStore.advance(connection, id, unit.use())) {
                return Result.DONE;
            }
            if (unit.refuseStaleCount()) {
                return SqlCredentialStore.exists(connection, id) ? Result.STALE_COUNT : Result.PASSKEY_GONE;
            }
            return SqlCredentialStore.touch(connection, id, unit.use())
                    ? Result.DONE_WITH_STALE_COUNT
                    : Result.PASSKEY_GONE;
        });
    }

    @Override
    public Result commit(Registration unit) {
        return write("finish a registration", unit.challenge(), connection -> {
            SqlCredentialStore.lock(connection, unit.credential().userId());
            Result result = Result.of(SqlCredentialStore.add(connection, unit.credential(), unit.limit()));
            if (result == Result.DONE && unit.user() != null) {
                SqlCredentialStore.enroll(connection, unit.user());
            }
            return result;
        });
    }

    @Override
    public Result commit(Refusal unit) {
        return unit.challenge() == null
                ? Result.DONE
                : write("refuse a response", unit.challenge(), connection -> Result.DONE);
    }

    private Result write(String action, @Nullable UsedChallenge challenge, Sql.Work<Result> work) {
        Result result = sql.transaction(
                action, connection -> isFree(connection, challenge) ? work.with(connection) : Result.CHALLENGE_USED);
        challenges.sweepIfDue();
        return result;
    }

    private static boolean isFree(Connection connection, @Nullable UsedChallenge challenge) throws SQLException {
        return challenge == null || SqlUsedChallenges.use(connection, challenge.id(), challenge.expiresAt());
    }
}
