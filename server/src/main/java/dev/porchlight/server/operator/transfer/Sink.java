// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ClashException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UserRecord;

/** Where users and passkeys go; each comes with the place it was read at, for complaints. */
public interface Sink {
    void user(UserRecord user, String place) throws ClashException;

    void passkey(CredentialRecord passkey, String place) throws ClashException;

    /** A passkey that is sound, as far as can be told, and whose algorithm is not ES256. */
    void unsupported(String place, long algorithm) throws BadLineException;
}
