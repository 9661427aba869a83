// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplacementTest {
    @ParameterizedTest
    @ValueSource(strings = {"silent", "assembled"})
    void the_service_compiles_with_the_replaced_telemetry(String telemetry, @TempDir Path output) throws IOException {
        Replacement.compile(
                Path.of("../..").toAbsolutePath().normalize(),
                List.of(telemetry),
                System.getProperty("java.class.path"),
                output);

        assertThat(output.resolve("dev/porchlight/server/telemetry/CeremonyMetrics.class"))
                .exists();
        assertThat(output.resolve("dev/porchlight/server/Main.class")).exists();
    }
}
