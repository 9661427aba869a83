// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

/** The attack cannot start or continue; the message says why. */
final class AttackException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AttackException(String message) {
        super(message);
    }
}
