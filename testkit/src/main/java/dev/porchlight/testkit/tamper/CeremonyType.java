// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** The ceremonies in which a mutation can be told. */
public enum CeremonyType {
    REGISTRATION,
    /** Of a user who said who he is. */
    AUTHENTICATION,
    /** Of a user whom the relying party learns from the passkey alone. */
    USERNAMELESS;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
