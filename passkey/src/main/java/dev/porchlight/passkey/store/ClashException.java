// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/** Says that something to be imported contradicts what is there: where it stood, and why. */
public final class ClashException extends Exception {
    private static final long serialVersionUID = 1L;

    ClashException(String place, String reason) {
        super(place + ": " + reason);
    }
}
