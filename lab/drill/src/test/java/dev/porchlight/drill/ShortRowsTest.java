// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.porchlight.drill.row.Row;
import dev.porchlight.drill.row.Runner;
import dev.porchlight.drill.row.Verdict;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The rows that are quick, each with few rounds. None of them judges speed when it is short. */
class ShortRowsTest {
    private static final String CORES = "cores";

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = CORES, mode = ResourceAccessMode.READ)
    Stream<DynamicTest> survives() {
        return tests(row -> !row.alone());
    }

    @TestFactory
    @ResourceLock(CORES)
    Stream<DynamicTest> survives_alone() {
        return tests(Row::alone);
    }

    private static Stream<DynamicTest> tests(Predicate<Row> wanted) {
        return Rows.ALL.stream()
                .filter(Row::quick)
                .filter(wanted)
                .map(row -> DynamicTest.dynamicTest(
                        row.about().id() + ": " + row.about().fault(), () -> survives(row)));
    }

    private static void survives(Row row) {
        Verdict verdict = new Runner(true, System.err).run(row);
        assumeFalse(verdict.kind() == Verdict.Kind.SKIPPED, verdict.measured());
        assertThat(verdict.kind()).as(verdict.measured()).isEqualTo(Verdict.Kind.PASSED);
    }
}
