// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.List;

/**
 * A row of the fault table: injects a real fault and checks that the service survives it.
 *
 * @param id such as {@code R4}
 * @param fault the injected fault
 * @param expected the required behavior of the service
 * @param promises the promises that it demonstrates
 */
public record Scenario(
        InTests inTests, String id, String fault, String expected, List<Promise> promises, Experiment experiment) {

    /** How a scenario runs in the tests, in short mode. */
    public enum InTests {
        /** Concurrently with others. */
        CONCURRENT,
        /** Concurrently with others, but one after another, because they share services. */
        IN_TURN,
        /** Alone, because it keeps every core busy and concurrent requests would miss their deadlines. */
        ALONE,
        /** Not at all, because it takes minutes or measures speed. */
        NEVER
    }

    /** The action of a scenario. */
    @FunctionalInterface
    public interface Experiment {
        /**
         * Injects the fault and records measurements and conditions.
         *
         * @throws dev.porchlight.rig.process.MissingProgramException if a required program is not installed, which skips the scenario
         */
        void run(TestBed bed, Findings findings) throws Exception;
    }

    /** A scenario that runs concurrently with others in the tests. */
    public Scenario(String id, String fault, String expected, List<Promise> promises, Experiment experiment) {
        this(InTests.CONCURRENT, id, fault, expected, promises, experiment);
    }
}
