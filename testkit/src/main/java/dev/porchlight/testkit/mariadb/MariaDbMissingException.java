// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.mariadb;

/** No MariaDB server is installed; the message says what to install. */
public final class MariaDbMissingException extends Exception {
    private static final long serialVersionUID = 1L;

    MariaDbMissingException(String message) {
        super(message);
    }
}
