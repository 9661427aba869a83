// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.util.Locale;

/** How much the relying party wants the authenticator to verify its user, by PIN or biometrics. */
public enum UserVerification {
    /** Must be done; enforced here, whatever the browser did. */
    REQUIRED,
    /** Should be done where it can be. */
    PREFERRED,
    /** Should not be done. */
    DISCOURAGED;

    /** The word in the options. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
