// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** The operations of a {@link PasskeyService}: the two halves of each ceremony. */
public enum Operation {
    /** Creates options for a new passkey. */
    START_REGISTRATION("registration_options"),
    /** Verifies a new passkey and stores it. */
    FINISH_REGISTRATION("registration"),
    /** Creates options for a login. */
    START_AUTHENTICATION("login_options"),
    /** Verifies a login and records it. */
    FINISH_AUTHENTICATION("login");

    private final String code;

    Operation(String code) {
        this.code = code;
    }

    /** The stable, machine-readable name in metrics, spans and log lines. */
    public String code() {
        return code;
    }

    /** Returns whether it verifies a response, rather than creating options. */
    public boolean finishes() {
        return this == FINISH_REGISTRATION || this == FINISH_AUTHENTICATION;
    }
}
