// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import org.jspecify.annotations.Nullable;

/**
 * The options of one registration. Immutable.
 *
 * @param name the account name that authenticators show; null for the stored name, or else the user id
 * @param displayName the user's name for display; null for the stored one, or else the account name
 * @param conditional whether the browser may create the passkey on its own after another sign-in ("conditional create"),
 *     without user presence
 */
public record RegistrationRequest(
        @Nullable String name, @Nullable String displayName, boolean conditional) {
    static final RegistrationRequest PLAIN = new RegistrationRequest(null, null, false);

    public RegistrationRequest {
        Texts.requireIfGiven("name", name);
        Texts.requireIfGiven("displayName", displayName);
    }

    /** Returns a request with these names. */
    public static RegistrationRequest of(@Nullable String name, @Nullable String displayName) {
        return new RegistrationRequest(name, displayName, false);
    }
}
