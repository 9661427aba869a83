// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.verify.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepNamesTest {
    private static final Path CONSOLE = Path.of(
            System.getProperty("porchlight.root"),
            "server/src/main/resources/dev/porchlight/server/web/assets/console-ceremonies.js");

    @ParameterizedTest
    @EnumSource
    void the_name_of_a_step_does_not_name_its_refusal(Step step) {
        assertThat(StepNames.of(step))
                .doesNotContain("bad", "mismatch", "malformed", "invalid", "not found", "unknown", "expired", "_");
    }

    @ParameterizedTest
    @EnumSource
    void the_console_shows_the_same_name_as_the_command_line(Step step) throws IOException {
        assertThat(Files.readString(CONSOLE)).contains("  " + step.code() + ": '" + StepNames.of(step) + "',\n");
    }
}
