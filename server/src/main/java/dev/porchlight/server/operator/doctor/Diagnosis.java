// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

/**
 * The result of one check.
 *
 * @param state the state of the checked thing
 * @param what a sentence about it
 * @param fix a command or line of configuration that fixes the problem; otherwise empty
 */
public record Diagnosis(State state, String what, String fix) {
    /** The state of a checked thing. */
    public enum State {
        OK,
        PROBLEM,
        /** Probably a mistake, or on purpose. */
        WARNING,
        /** Not checked, for a reason that is not a problem. */
        SKIPPED
    }

    static Diagnosis warning(String what) {
        return new Diagnosis(State.WARNING, what, "");
    }

    static Diagnosis skipped(String what) {
        return new Diagnosis(State.SKIPPED, what, "");
    }
}
