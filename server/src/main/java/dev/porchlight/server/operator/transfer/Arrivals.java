// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ClashException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UserRecord;
import java.io.IOException;

/** Users and passkeys that come from somewhere. */
@FunctionalInterface
public interface Arrivals {
    /** Hands over all of them, in the order they come, having checked each. */
    void readInto(Sink sink) throws IOException, BadLineException, ClashException;

    /** Where users and passkeys go; each comes with the place it was read at, for complaints. */
    interface Sink {
        void user(UserRecord user, String place) throws ClashException;

        void passkey(CredentialRecord passkey, String place) throws ClashException;

        /** A passkey that is sound, as far as can be told, and whose algorithm is not ES256. */
        void unsupported(String place, long algorithm) throws BadLineException;
    }

    /** Says that something to be imported is not what it should be: where it stands, and why. */
    final class BadLineException extends Exception {
        private static final long serialVersionUID = 1L;

        public BadLineException(String place, String reason) {
            super(place + ": " + reason);
        }
    }
}
