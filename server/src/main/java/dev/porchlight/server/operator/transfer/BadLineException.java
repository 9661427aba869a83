// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

/** Says that something to be imported is not what it should be: where it stands, and why. */
public final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadLineException(String place, String reason) {
        super(place + ": " + reason);
    }
}
