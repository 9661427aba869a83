// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import org.jspecify.annotations.Nullable;

/**
 * Commits the results of ceremonies, each as one transaction: the used challenge, the passkey, the session and the audit row.
 * Thread-safe.
 *
 * @param opensSessions whether a login opens a session
 */
public record Ceremonies(Units units, Sessions sessions, TakenNames names, boolean opensSessions) {
    /**
     * The commit of one request.
     *
     * @param userAgent the browser's User-Agent header
     * @param formerSession the id of a session whose cookie a login replaces, or null
     */
    public CeremonyRequest request(String correlationId, String userAgent, @Nullable String formerSession) {
        return new CeremonyRequest(this, correlationId, userAgent, formerSession, null);
    }

    /**
     * The commit of a request that registers a passkey.
     *
     * @param registrant the caller, whose sign-in must still be valid when the passkey is stored, or whose enrollment the
     *     registration uses up and which signs the user in
     * @param formerSession the id of a session whose cookie that sign-in replaces, or null
     */
    public CeremonyRequest registration(
            String correlationId, String userAgent, Registrant registrant, @Nullable String formerSession) {
        return new CeremonyRequest(this, correlationId, userAgent, formerSession, registrant);
    }
}
