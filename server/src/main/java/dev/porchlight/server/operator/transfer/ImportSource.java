// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ImportConflictException;
import java.io.IOException;

/** A source of users and passkeys to import. */
@FunctionalInterface
public interface ImportSource {
    /** Passes all validated users and passkeys to the sink, in order. */
    void readInto(ImportSink sink) throws IOException, InvalidLineException, ImportConflictException;

    /** An invalid entry, with its position and the reason. */
    final class InvalidLineException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidLineException(String place, String reason) {
            super(place + ": " + reason);
        }
    }
}
