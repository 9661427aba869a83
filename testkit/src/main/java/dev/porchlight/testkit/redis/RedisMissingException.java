// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.redis;

/** Thrown if no Redis server is installed on this machine. The message says what to do. */
public final class RedisMissingException extends Exception {
    private static final long serialVersionUID = 1L;

    RedisMissingException(String message) {
        super(message);
    }
}
