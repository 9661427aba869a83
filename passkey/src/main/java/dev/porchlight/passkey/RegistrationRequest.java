// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import org.jspecify.annotations.Nullable;

/**
 * The options of one registration. Immutable.
 *
 * @param name the account name that authenticators show; null for the one given before, or the user id
 * @param displayName the user's name for display; null for the one given before, or the account name
 * @param conditional whether the browser may create the passkey by itself after another sign-in ("conditional create"),
 *     without asking for a touch
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
