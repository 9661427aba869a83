// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.lang.System.Logger.Level;

/** Warns about an unsafe configuration. This is the only class of the module that logs, because no listener may be registered yet. */
final class SecurityWarnings {
    private static final String NO_DECOY_KEY =
            "No decoyKey: the decoy passkeys of unknown users %s, which reveals which"
                    + " accounts do not exist. Set one of at least 32 bytes, the same on all instances (Spring Boot: porchlight.decoy-key).";

    private SecurityWarnings() {}

    /** Warns that a service without a decoy key reveals unknown users. It reveals more if its challenges are stored. */
    static void noDecoyKey(boolean storedChallenges) {
        String what = storedChallenges
                ? "change at every start and differ between instances"
                : "change when the challenge key is replaced";
        System.getLogger("dev.porchlight.passkey").log(Level.WARNING, NO_DECOY_KEY.formatted(what));
    }
}
