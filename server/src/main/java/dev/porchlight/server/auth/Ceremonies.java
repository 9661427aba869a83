// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.storage.Units;
import org.jspecify.annotations.Nullable;

/**
 * Writes what ceremonies leave behind, each as one unit of work. Thread-safe.
 *
 * <p>Without Redis that is one transaction. With Redis, used challenges and sessions are there, and the order is: mark the
 * challenge as used, keep the session, then the transaction with the passkey's count and the audit row. A store that fails
 * on the way refuses the login: the challenge is used, and a session that was kept was told to nobody. So an audit row that
 * says a login succeeded is there only if all of it is.
 */
public final class Ceremonies {
    final Units units;
    final Sessions sessions;
    final Grants grants;
    final boolean opensSessions;
    final @Nullable UsedChallenges inRedis;

    /**
     * Ceremonies that end in units of work.
     *
     * @param opensSessions whether a login opens a session
     * @param inRedis where challenges are marked as used; null if that is in the database, as sessions are then
     */
    public Ceremonies(
            Units units, Sessions sessions, Grants grants, boolean opensSessions, @Nullable UsedChallenges inRedis) {
        this.units = units;
        this.sessions = sessions;
        this.grants = grants;
        this.opensSessions = opensSessions;
        this.inRedis = inRedis;
    }

    /**
     * For one request.
     *
     * @param userAgent what the browser calls itself
     * @param formerSession the id of a session whose cookie a login replaces, or null
     */
    public CeremonyRequest request(String correlationId, String userAgent, @Nullable String formerSession) {
        return new CeremonyRequest(this, correlationId, userAgent, formerSession, null, null);
    }

    /**
     * For a request that registers a passkey.
     *
     * @param caller the caller's sign-in, which must still be valid when the passkey is stored; null for a caller with an
     *     enrollment token
     * @param enrollment what that token allows, which is used up by the registration and signs the user in; null for a caller
     *     who signed in
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
