// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** The types of ceremonies. */
public enum CeremonyType {
    REGISTRATION,
    /** A login with a user id. */
    AUTHENTICATION,
    /** A login without a user id, in which the passkey identifies the user. */
    USERNAMELESS;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
