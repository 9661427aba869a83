// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.server.auth.SessionManager.Kept;
import org.jspecify.annotations.Nullable;

/**
 * The challenge store of the service: challenges kept by the session manager, sealed like everything else it keeps.
 * Thread-safe; several challenges per user may be outstanding, and each is taken atomically, once, on all instances.
 */
public final class SessionChallengeStore implements ChallengeStore {
    private static final String KIND = "challenge";

    private final SessionManager sessions;

    public SessionChallengeStore(SessionManager sessions) {
        this.sessions = sessions;
    }

    @Override
    public @Nullable StoredChallenge getChallenge(String userId) {
        var outstanding = sessions.ofOwner(KIND, userId);
        return outstanding.isEmpty() ? null : stored(outstanding.get(0));
    }

    @Override
    public void setChallenge(String userId, String challenge, long expiresAt) {
        sessions.keep(KIND, id(userId, challenge), userId, challenge, expiresAt);
    }

    @Override
    public void clearChallenge(String userId) {
        sessions.removeOwner(KIND, userId);
    }

    @Override
    public @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        Kept kept = sessions.takeExpiredToo(KIND, id(userId, challenge));
        return kept == null ? null : stored(kept);
    }

    /** A challenge is base64url, so the separator cannot be part of it, and no two pairs give one id. */
    private static String id(String userId, String challenge) {
        return challenge + ' ' + userId;
    }

    private static StoredChallenge stored(Kept kept) {
        return new StoredChallenge(kept.content(), kept.expiresAt());
    }
}
