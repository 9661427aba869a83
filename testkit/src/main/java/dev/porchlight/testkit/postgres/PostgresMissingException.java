// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.postgres;

/** Thrown if no PostgreSQL server is installed on this machine, or it cannot be run. The message says what to do. */
public final class PostgresMissingException extends Exception {
    private static final long serialVersionUID = 1L;

    PostgresMissingException(String message) {
        super(message);
    }
}
