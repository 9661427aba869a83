// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.UsedChallenges;
import org.jspecify.annotations.Nullable;

/**
 * Commits in two writes, when passkeys and used challenges are stored in different places. The challenge is marked as used
 * first: if the second write fails, the ceremony is refused and its challenge stays used. With a challenge store it is one
 * write. Thread-safe.
 */
record SeparateCommit(CredentialStore credentials, UsedChallenges challenges) implements CeremonyCommit {
    @Override
    public Result commit(Authentication unit) {
        if (!isFree(unit.challenge())) {
            return Result.CHALLENGE_USED;
        }
        String id = unit.assertion().credential().credentialId();
        if (unit.assertion().signCountGrew() && credentials.advance(id, unit.use())) {
            return Result.DONE;
        }
        if (unit.refuseStaleCount()) {
            return credentials.find(id) == null ? Result.PASSKEY_GONE : Result.STALE_COUNT;
        }
        return credentials.touch(id, unit.use()) ? Result.DONE_WITH_STALE_COUNT : Result.PASSKEY_GONE;
    }

    @Override
    public Result commit(Registration unit) {
        if (!isFree(unit.challenge())) {
            return Result.CHALLENGE_USED;
        }
        Result result = Result.of(credentials.add(unit.credential(), unit.limit()));
        if (result == Result.DONE && unit.user() != null) {
            credentials.enroll(unit.user());
        }
        return result;
    }

    @Override
    public Result commit(Refusal unit) {
        return isFree(unit.challenge()) ? Result.DONE : Result.CHALLENGE_USED;
    }

    private boolean isFree(@Nullable UsedChallenge challenge) {
        return challenge == null || challenges.use(challenge.id(), challenge.expiresAt());
    }
}
