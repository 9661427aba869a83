// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;

/**
 * Commits the results of ceremonies, each as one transaction: the used challenge, the passkey, the session and the audit row.
 * Thread-safe.
 *
 * @param opensSessions whether a login opens a session
 */
public record Ceremonies(
        Units units,
        Sessions sessions,
        TakenNames names,
        Authenticators authenticators,
        Notices notices,
        boolean opensSessions) {
    /** The commit of one request. */
    public CeremonyRequest request(String correlationId, Browser browser) {
        return new CeremonyRequest(this, correlationId, browser, null);
    }

    /**
     * The commit of a request that registers a passkey.
     *
     * @param registrant the caller, whose sign-in must still be valid when the passkey is stored, or whose enrollment the
     *     registration uses up and which signs the user in
     */
    public CeremonyRequest registration(String correlationId, Browser browser, Registrant registrant) {
        return new CeremonyRequest(this, correlationId, browser, registrant);
    }
}
