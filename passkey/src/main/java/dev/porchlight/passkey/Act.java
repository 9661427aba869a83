// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** The four things a {@link PasskeyService} does that take part in a ceremony. */
public enum Act {
    /** Gives options for a new passkey. */
    START_REGISTRATION,
    /** Judges a new passkey and stores it. */
    FINISH_REGISTRATION,
    /** Gives options for a login. */
    START_AUTHENTICATION,
    /** Judges a login and records it. */
    FINISH_AUTHENTICATION
}
