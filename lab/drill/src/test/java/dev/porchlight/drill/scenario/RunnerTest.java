// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.process.Program;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerTest {
    private static final Scenario NEEDS_A_PROGRAM = new Scenario(
            "R0",
            "a program is missing",
            "the reason is printed",
            List.of(),
            (bed, findings) -> Program.require("no-such-program"));

    @ParameterizedTest
    @CsvSource({"true, FAILED", "false, SKIPPED"})
    void a_scenario_whose_program_is_missing_fails_where_none_may_be_skipped(boolean complete, Verdict.Kind kind) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Verdict verdict = new Runner(true, complete, new PrintStream(out, true, UTF_8)).run(NEEDS_A_PROGRAM);

        assertThat(verdict).isEqualTo(new Verdict(kind, "not run: no-such-program is not installed"));
        assertThat(out.toString(UTF_8)).contains("Skipped: R0: no-such-program is not installed");
    }
}
