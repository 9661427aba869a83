// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.util.Locale;

/** The user verification requirement: PIN or biometrics. */
public enum UserVerification {
    /** Required: a response without it is refused. */
    REQUIRED,
    /** Requested where the authenticator supports it. */
    PREFERRED,
    /** Not requested. */
    DISCOURAGED;

    /** The value in the options. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
