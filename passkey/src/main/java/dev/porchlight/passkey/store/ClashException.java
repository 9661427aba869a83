// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/** An entry that cannot be imported, because it is invalid or contradicts what is stored: its place and the reason. */
public final class ClashException extends Exception {
    private static final long serialVersionUID = 1L;

    ClashException(String place, String reason) {
        super(place + ": " + reason);
    }
}
