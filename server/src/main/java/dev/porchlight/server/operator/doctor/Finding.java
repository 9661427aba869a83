// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

/**
 * What one check found.
 *
 * @param state how it is
 * @param what in words
 * @param fix the line that mends it; empty unless it is wrong
 */
public record Finding(State state, String what, String fix) {
    /** How a thing is. */
    public enum State {
        FINE,
        WRONG,
        /** Not looked at, for a reason that is no fault. */
        SKIPPED
    }

    static Finding fine(String what) {
        return new Finding(State.FINE, what, "");
    }

    static Finding wrong(String what, String fix) {
        return new Finding(State.WRONG, what, fix);
    }

    static Finding skipped(String what) {
        return new Finding(State.SKIPPED, what, "");
    }
}
