// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import org.jspecify.annotations.Nullable;

/**
 * Commits the results of ceremonies, each as one unit of work. Thread-safe.
 *
 * <p>Without Redis that is one transaction. With Redis, which has used challenges and sessions, the order is: mark the challenge
 * as used, store the session, then the transaction with the passkey's count and the audit row. A store that fails on the way
 * refuses the login: the challenge is used, and no client has the id of a stored session. So the audit row of a successful login
 * exists only if everything else does.
 */
public final class Ceremonies {
    final Units units;
    final Sessions sessions;
    final Grants grants;
    final TakenNames names;
    final boolean opensSessions;
    final @Nullable UsedChallenges inRedis;

    /**
     * Ceremonies that commit to these stores.
     *
     * @param opensSessions whether a login opens a session
     * @param inRedis used challenges in Redis; null if they and sessions are in the database
     */
    public Ceremonies(
            Units units,
            Sessions sessions,
            Grants grants,
            TakenNames names,
            boolean opensSessions,
            @Nullable UsedChallenges inRedis) {
        this.units = units;
        this.sessions = sessions;
        this.grants = grants;
        this.names = names;
        this.opensSessions = opensSessions;
        this.inRedis = inRedis;
    }

    /**
     * The commit of one request.
     *
     * @param userAgent the browser's User-Agent header
     * @param formerSession the id of a session whose cookie a login replaces, or null
     */
    public CeremonyRequest request(String correlationId, String userAgent, @Nullable String formerSession) {
        return new CeremonyRequest(this, correlationId, userAgent, formerSession, null, null);
    }

    /**
     * The commit of a request that registers a passkey.
     *
     * @param caller the caller's sign-in, which must still be valid when the passkey is stored; null for a caller with an
     *     enrollment token
     * @param enrollment the enrollment of that token, which the registration uses up and which signs the user in; null
     *     for a caller who signed in
     * @param formerSession the id of a session whose cookie that sign-in replaces, or null
     */
    public CeremonyRequest registration(
            String correlationId,
            String userAgent,
            @Nullable Grant caller,
            @Nullable Enrollment enrollment,
            @Nullable String formerSession) {
        return new CeremonyRequest(this, correlationId, userAgent, formerSession, caller, enrollment);
    }
}
