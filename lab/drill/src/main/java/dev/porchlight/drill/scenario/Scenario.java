// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.List;

/**
 * A row of the fault table: injects a real fault and checks that the service survives it.
 *
 * @param id such as {@code R4}
 * @param fault what is done to the service
 * @param expected how the service must behave
 * @param promises which of them it demonstrates
 */
public record Scenario(
        InTests inTests, String id, String fault, String expected, List<Promise> promises, Experiment experiment) {

    /** How a scenario takes part in the tests, where it is shortened. */
    public enum InTests {
        /** Beside others. */
        CONCURRENT,
        /** Alone, because it keeps every core busy and requests that wait for a core miss their deadlines. */
        ALONE,
        /** Not at all, because it takes minutes or measures speed. */
        NEVER
    }

    /** What a scenario does. */
    @FunctionalInterface
    public interface Experiment {
        /**
         * Injects the fault, and records what was measured and what had to hold.
         *
         * @throws dev.porchlight.rig.process.MissingProgramException if a required program is not installed: the scenario is skipped
         */
        void run(TestBed bed, Findings findings) throws Exception;
    }

    /** A scenario that runs beside others in the tests. */
    public Scenario(String id, String fault, String expected, List<Promise> promises, Experiment experiment) {
        this(InTests.CONCURRENT, id, fault, expected, promises, experiment);
    }
}
