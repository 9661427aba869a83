// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.List;

/** A row of the fault table: injects a real fault and checks that the service survives it. */
public abstract class Scenario {
    private final InTests inTests;
    private final String id;
    private final String fault;
    private final String expected;
    private final List<Promise> promises;

    /** How a scenario takes part in the tests, where it is shortened. */
    public enum InTests {
        /** Beside others. */
        CONCURRENT,
        /** Alone, because it keeps every core busy and requests that wait for a core miss their deadlines. */
        ALONE,
        /** Not at all, because it takes minutes or measures speed. */
        NEVER
    }

    /** A scenario that runs beside others in the tests. */
    protected Scenario(String id, String fault, String expected, Promise... promises) {
        this(InTests.CONCURRENT, id, fault, expected, promises);
    }

    /**
     * A scenario.
     *
     * @param id such as {@code R4}
     * @param fault what is done to the service
     * @param expected how the service must behave
     * @param promises which of them it demonstrates
     */
    protected Scenario(InTests inTests, String id, String fault, String expected, Promise... promises) {
        this.inTests = inTests;
        this.id = id;
        this.fault = fault;
        this.expected = expected;
        this.promises = List.of(promises);
    }

    public final InTests inTests() {
        return inTests;
    }

    public final String id() {
        return id;
    }

    public final String fault() {
        return fault;
    }

    public final String expected() {
        return expected;
    }

    public final List<Promise> promises() {
        return promises;
    }

    /**
     * Injects the fault, and records what was measured and what had to hold.
     *
     * @throws dev.porchlight.rig.process.MissingProgramException if a required program is not installed: the scenario is skipped
     */
    public abstract void run(TestBed bed, Findings findings) throws Exception;
}
