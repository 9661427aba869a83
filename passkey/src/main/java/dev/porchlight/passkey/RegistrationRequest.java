// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import org.jspecify.annotations.Nullable;

/**
 * How a registration is to be offered. Immutable.
 *
 * @param name what tells the user's accounts apart, shown by authenticators; null for what was given before, or his id
 * @param displayName what the user is called; null for what was given before, or the name
 * @param conditional whether the browser may make the passkey by itself after another sign-in ("conditional create"),
 *     without asking for a touch
 */
public record RegistrationRequest(
        @Nullable String name, @Nullable String displayName, boolean conditional) {
    static final RegistrationRequest PLAIN = new RegistrationRequest(null, null, false);

    public RegistrationRequest {
        Texts.requireIfGiven("name", name);
        Texts.requireIfGiven("displayName", displayName);
    }

    /** A registration under these names. */
    public static RegistrationRequest of(@Nullable String name, @Nullable String displayName) {
        return new RegistrationRequest(name, displayName, false);
    }
}
