// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import org.jspecify.annotations.Nullable;

/** What happens when a sign count does not grow. */
public enum SignCountPolicy {
    /** Refuses device-bound passkeys and flags synced ones, because some password managers sync the counter late. */
    AUTO,
    /** Refuses the authentication. */
    REJECT,
    /** Accepts the authentication and reports it to the listener. */
    FLAG;

    /**
     * Whether a count that does not grow refuses a passkey. The stored BE flag decides: a copy of a device-bound key could
     * sign any flags. Where none is stored, as for an imported passkey, the presented one decides.
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
