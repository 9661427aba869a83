// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import org.jspecify.annotations.Nullable;

/** The policy for a sign count that does not grow. */
public enum SignCountPolicy {
    /** Refuses device-bound passkeys and flags synced ones, because some password managers sync the counter late. */
    AUTO,
    /** Refuses the authentication. */
    REJECT,
    /** Accepts the authentication and reports it to the listener. */
    FLAG;

    /**
     * Returns whether a sign count that does not grow is refused. The stored BE flag decides: a copy of a device-bound key could
     * sign any flags. If it is unknown, as for an imported passkey, the presented flag decides.
     *
     * @param stored the BE flag of the stored passkey, or null if it is unknown
     * @param presented the BE flag that the authenticator presented
     */
    public boolean refuses(@Nullable Boolean stored, boolean presented) {
        return switch (this) {
            case AUTO -> !(stored == null ? presented : stored);
            case REJECT -> true;
            case FLAG -> false;
        };
    }
}
