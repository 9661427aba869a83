// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/** What happens when a sign count does not grow. */
public enum SignCountPolicy {
    /** Refuses device-bound passkeys and flags synced ones, because some password managers sync the counter late. */
    AUTO,
    /** Refuses the authentication. */
    REJECT,
    /** Accepts the authentication and reports it to the listener. */
    FLAG;

    /**
     * Whether a count that does not grow refuses this credential. The stored BE flag decides: a copy of a device-bound
     * key could sign any flags. Where none is on record, as for an imported passkey, the presented one decides.
     *
     * @param credential the stored credential, before this use
     * @param backupEligible the BE flag that the authenticator presented
     */
    public boolean refuses(RegisteredCredential credential, boolean backupEligible) {
        Boolean recorded = credential.backupEligible();
        return switch (this) {
            case AUTO -> !(recorded == null ? backupEligible : recorded);
            case REJECT -> true;
            case FLAG -> false;
        };
    }
}
