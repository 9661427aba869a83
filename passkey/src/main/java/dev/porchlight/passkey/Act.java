// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** The four things a {@link PasskeyService} does that take part in a ceremony. */
public enum Act {
    START_REGISTRATION,
    FINISH_REGISTRATION,
    START_AUTHENTICATION,
    FINISH_AUTHENTICATION
}
