// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

/** A required program is not installed or lacks permissions; the message says which and why. */
public final class MissingProgramException extends Exception {
    private static final long serialVersionUID = 1L;

    public MissingProgramException(String message) {
        super(message);
    }
}
