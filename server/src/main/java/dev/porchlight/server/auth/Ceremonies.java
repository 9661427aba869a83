// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import org.jspecify.annotations.Nullable;

/**
 * Commits the results of ceremonies, each as one transaction: the used challenge, the passkey, the session and the audit row.
 * Thread-safe.
 */
public final class Ceremonies {
    final Units units;
    final Sessions sessions;
    final TakenNames names;
    final boolean opensSessions;

    /**
     * Ceremonies that commit to these stores.
     *
     * @param opensSessions whether a login opens a session
     */
    public Ceremonies(Units units, Sessions sessions, TakenNames names, boolean opensSessions) {
        this.units = units;
        this.sessions = sessions;
        this.names = names;
        this.opensSessions = opensSessions;
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
