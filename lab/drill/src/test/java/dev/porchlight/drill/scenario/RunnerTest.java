// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import dev.porchlight.testkit.server.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerTest {
    private static final Scenario NEEDS_A_PROGRAM =
            new Scenario("R0", Scenario.InTests.CONCURRENT, bed -> Program.require("no-such-program"));

    @ParameterizedTest
    @CsvSource({"true, FAILED", "false, SKIPPED"})
    void a_scenario_with_a_missing_program_fails_where_skipping_is_not_allowed(
            boolean complete, ScenarioResult.Kind kind) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        try (Runner runner = new Runner(true, complete, new PrintStream(out, true, UTF_8))) {
            assertThat(runner.run(NEEDS_A_PROGRAM))
                    .isEqualTo(new ScenarioResult(kind, "not run: no-such-program is not installed"));
        }
        assertThat(out.toString(UTF_8)).contains("Skipped: R0: no-such-program is not installed");
    }
}
