// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.porchlight.drill.scenario.Runner;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.Scenario.InTests;
import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Runs the scenarios in short mode, with few rounds and generous time limits. */
@TestMethodOrder(OrderAnnotation.class)
class ShortScenariosTest {
    private static final String CORES = "cores";

    private static Runner runner;
    private static Report report;

    @BeforeAll
    static void start() throws IOException {
        runner = new Runner(true, System.err);
        report = new Report(ReliabilityDocTest.PAGE);
    }

    @AfterAll
    static void stop() throws IOException {
        runner.close();
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = CORES, mode = ResourceAccessMode.READ)
    Stream<DynamicTest> survives() {
        return tests(InTests.CONCURRENT);
    }

    @TestFactory
    @Order(1)
    @ResourceLock(value = CORES, mode = ResourceAccessMode.READ)
    Stream<DynamicTest> survives_in_turn() {
        return tests(InTests.IN_TURN);
    }

    @TestFactory
    @Order(2) // waits for all others
    @ResourceLock(CORES)
    Stream<DynamicTest> survives_alone() {
        return tests(InTests.ALONE);
    }

    private static Stream<DynamicTest> tests(InTests wanted) {
        return Scenarios.ALL.stream()
                .filter(one -> one.inTests() == wanted)
                .map(one -> DynamicTest.dynamicTest(one.id() + ": " + report.fault(one.id()), () -> survives(one)));
    }

    private static void survives(Scenario scenario) {
        ScenarioResult result = runner.run(scenario);
        assumeFalse(result.kind() == ScenarioResult.Kind.SKIPPED, result.measured());
        assertThat(result.kind()).as(result.measured()).isEqualTo(ScenarioResult.Kind.PASSED);
    }
}
