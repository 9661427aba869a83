// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

/** The attack cannot be made, or not go on; the message says why. */
final class AttackException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AttackException(String message) {
        super(message);
    }
}
