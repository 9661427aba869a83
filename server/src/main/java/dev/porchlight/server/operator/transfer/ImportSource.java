// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.UserRecord;
import java.io.IOException;

/** A source of users and passkeys to import. */
@FunctionalInterface
public interface ImportSource {
    /** Passes all validated users and passkeys to the sink, in order. */
    void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException;

    /** Receives users and passkeys, each with its position in the source for error messages. */
    interface Sink {
        void user(UserRecord user, String place) throws ImportConflictException;

        void passkey(CredentialRecord passkey, String place) throws ImportConflictException;

        /** Returns whether passkeys with this COSE algorithm can be imported. */
        boolean supports(long algorithm);

        /** Receives a passkey whose algorithm is not supported. */
        void unsupported(String place, long algorithm) throws InvalidLineException;

        /** Receives an invalid entry of another library. The import continues if this method returns. */
        void invalid(InvalidLineException entry) throws InvalidLineException;

        /** Receives a valid credential that must not become a passkey, such as a second factor. */
        void skipped(String place, String reason);
    }

    /** An invalid entry, with its position and the reason. */
    final class InvalidLineException extends Exception {
        private static final long serialVersionUID = 1L;

        public InvalidLineException(String place, String reason) {
            super(place + ": " + reason);
        }
    }
}
