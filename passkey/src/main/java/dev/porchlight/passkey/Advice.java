// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.lang.System.Logger.Level;

/** The one thing that this module logs: how a service is built may be unsafe, and no listener need be there to hear of it. */
final class Advice {
    private static final String NO_DECOY_KEY =
            "No decoyKey: the decoy passkeys of unknown users %s, which shows who has no"
                    + " account. Set one of at least 32 bytes, the same on all instances (Spring Boot: porchlight.decoy-key).";

    private Advice() {}

    /** Logs what a service without a decoy key shows, which is more if its challenges are in a store. */
    static void noDecoyKey(boolean storedChallenges) {
        String what = storedChallenges
                ? "change at every start and differ between instances"
                : "change when the challenge key is replaced";
        System.getLogger("dev.porchlight.passkey").log(Level.WARNING, NO_DECOY_KEY.formatted(what));
    }
}
