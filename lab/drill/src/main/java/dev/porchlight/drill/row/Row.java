// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.row;

/** A row of the fault table: makes a fault for real and finds out whether the service survives it. */
public interface Row {
    About about();

    /** Whether it is done within seconds on short ground, and so is part of the tests. */
    default boolean quick() {
        return true;
    }

    /** Whether it keeps every core busy, and so runs alone in the tests: requests that wait for a core miss their deadlines. */
    default boolean alone() {
        return false;
    }

    /**
     * Makes the fault, and writes down what was measured and what had to hold.
     *
     * @throws dev.porchlight.rig.process.MissingProgramException if a program is needed that is not here: the row is skipped
     */
    void run(Ground ground, Findings findings) throws Exception;
}
