// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/**
 * A row of the fault table: injects a real fault and checks that the service survives it.
 *
 * @param id such as {@code R4}
 */
public record Scenario(String id, InTests inTests, Experiment experiment) {
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
         * @throws dev.porchlight.testkit.server.MissingProgramException if a required program is not installed, which skips the scenario
         */
        void run(TestBed bed) throws Exception;
    }

    /**
     * The result of a row.
     *
     * @param measured the measurements as text, failures in bold
     */
    public record ScenarioResult(Kind kind, String measured) {
        /** The status of a row. */
        public enum Kind {
            PASSED,
            FAILED,
            SKIPPED;

            @Override
            public String toString() {
                return name().toLowerCase(java.util.Locale.ROOT);
            }
        }
    }
}
