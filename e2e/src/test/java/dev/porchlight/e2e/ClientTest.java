// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs the client helper's JavaScript tests. */
class ClientTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @Test
    void client_tests_pass() throws Exception {
        Process process = new ProcessBuilder(Requirements.program("node"), "--test")
                .directory(ROOT.resolve("client").toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed).as("tests ran").containsPattern("# pass [1-9]|ℹ pass [1-9]");
    }
}
