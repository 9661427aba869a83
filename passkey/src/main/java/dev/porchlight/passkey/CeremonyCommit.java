// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Addition;
import dev.porchlight.passkey.store.CredentialStore.Use;
import dev.porchlight.passkey.store.UserRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcome of a ceremony atomically.
 *
 * <p>The library has its own implementations. An application that writes more in the same transaction, such as a session
 * and an audit row, passes its own to the {@code finish…} methods of {@link PasskeyService}. It is called once per
 * ceremony, on the caller's thread, after all steps have run. A failure is a {@link
 * dev.porchlight.base.sql.StorageException}: nothing was accepted then.
 */
public interface CeremonyCommit {

    /**
     * A sealed challenge that counts as used from now on.
     *
     * @param id identifies the challenge
     * @param expiresAt when the challenge expires and need no longer be remembered, in milliseconds since the epoch
     */
    record UsedChallenge(String id, long expiresAt) {}

    /**
     * A response that passed every step.
     *
     * @param challenge the challenge to mark as used; null when a challenge store has done that
     * @param refuseStaleCount whether to refuse the login when a concurrent login already used this sign count
     */
    record Authentication(
            VerifiedAssertion assertion, @Nullable UsedChallenge challenge, boolean refuseStaleCount) {
        /** The values to write to the stored passkey. */
        public Use use() {
            return new Use(assertion.signCount(), assertion.at(), assertion.backupEligible(), assertion.backedUp());
        }
    }

    /**
     * A new passkey that passed every step. Only a {@link PasskeyService} creates it, so an application may sign the user in
     * with the same commit. Immutable.
     */
    final class Registration {
        private final CredentialRecord credential;
        private final @Nullable UserRecord user;
        private final int limit;
        private final @Nullable UsedChallenge challenge;

        Registration(
                CredentialRecord credential, @Nullable UserRecord user, int limit, @Nullable UsedChallenge challenge) {
            this.credential = credential;
            this.user = user;
            this.limit = limit;
            this.challenge = challenge;
        }

        /** The passkey to store. */
        public CredentialRecord credential() {
            return credential;
        }

        /** The user to store with this passkey; null when the options have stored the user. */
        public @Nullable UserRecord user() {
            return user;
        }

        /** How many passkeys the user may have, including this one. */
        public int limit() {
            return limit;
        }

        /** The challenge to mark as used; null when a challenge store has done that. */
        public @Nullable UsedChallenge challenge() {
            return challenge;
        }
    }

    /**
     * A refused response to a challenge that this service issued.
     *
     * @param userId the user it was sent for, or null
     * @param step the step that refused
     * @param challenge the challenge to mark as used; null when it is already marked, or has expired
     */
    record Refusal(
            Operation operation,
            @Nullable String userId,
            Step step,
            @Nullable UsedChallenge challenge) {}

    /** The result of a commit. All but the first two refuse the ceremony. */
    enum Result {
        /** Everything is written. */
        DONE,
        /** Everything is written, and the sign count did not grow. */
        DONE_WITH_STALE_COUNT,
        /** The challenge was used before. Nothing else is written. */
        CHALLENGE_USED,
        /** A concurrent login already used this sign count. The challenge is used, the passkey is unchanged. */
        STALE_COUNT,
        /** The passkey was removed or, for a registration, the access of the user has ended. The challenge is used. */
        PASSKEY_GONE,
        /** The application has locked the user. The challenge is used, the passkey is unchanged. */
        USER_LOCKED,
        /** The credential id is already registered, by this or another user. The challenge is used, the passkey is unchanged. */
        PASSKEY_EXISTS,
        /** The user has the maximum number of passkeys. The challenge is used. */
        TOO_MANY_PASSKEYS;

        /** Returns the result of a registration. */
        public static Result of(Addition addition) {
            return switch (addition) {
                case ADDED -> DONE;
                case EXISTS -> PASSKEY_EXISTS;
                case TOO_MANY -> TOO_MANY_PASSKEYS;
            };
        }
    }

    /** Writes a login. */
    Result commit(Authentication unit);

    /**
     * Returns whether a registration may be one that the browser completed on its own, without the user's presence. A commit
     * that also signs the user in should not accept it.
     */
    default boolean acceptsUnprompted() {
        return true;
    }

    /** Writes a registration. */
    Result commit(Registration unit);

    /** Writes a refusal: {@link Result#DONE} or {@link Result#CHALLENGE_USED}. */
    Result commit(Refusal unit);
}
