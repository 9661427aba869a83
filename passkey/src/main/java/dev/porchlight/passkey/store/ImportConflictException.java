// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/** Thrown for an entry that cannot be imported because it is invalid or conflicts with stored data. The message has its place
 * and the reason. */
public final class ImportConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    ImportConflictException(String place, String reason) {
        super(place + ": " + reason);
    }
}
