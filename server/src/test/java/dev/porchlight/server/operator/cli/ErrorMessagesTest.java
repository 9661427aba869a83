// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Settings;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every message says what happened and what to do. */
class ErrorMessagesTest {
    @TempDir
    Path directory;

    @Test
    void a_missing_file_is_named() {
        String missing = directory.resolve("nofile.json").toString();
        CliRun run = CliRun.of(environment(), "explain", missing);

        assertThat(run)
                .isEqualTo(new CliRun(1, "", "Error: the file " + missing + " does not exist: check its path\n"));
    }

    @Test
    void an_existing_file_is_named() throws IOException {
        Path file = Files.writeString(directory.resolve("passkeys.jsonl"), "");
        CliRun run = CliRun.of(environment(), "export", file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("Error: ").contains(file.toString(), "already");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_data_directory_that_cannot_be_created_is_a_configuration_error() {
        CliRun run = CliRun.of(Map.of("DATA_DIR", "/proc/foo"), "keys", "list");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Error: the configuration is invalid:\n  DATA_DIR is /proc/foo, which cannot be created (")
                .contains("can write to");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_data_directory_that_is_not_writable_is_a_configuration_error() {
        CliRun run = CliRun.of(Map.of("DATA_DIR", "/proc"), "keys", "list");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Error: the configuration is invalid:\n  DATA_DIR is /proc, which cannot be written to (")
                .contains("can write to");
    }

    @Test
    void a_setting_that_this_machine_cannot_provide_exits_with_2() {
        Cli.Service taken = variables -> {
            throw new InvalidConfigException(Settings.PORT, "is 80", "set another", new IOException("in use"));
        };
        CliRun run = CliRun.of(Map.of(), taken, "serve");

        assertThat(run)
                .isEqualTo(new CliRun(2, "", "Error: the configuration is invalid:\n  PORT is 80: set another\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve --port 9000", "serve --port=9000", "serve -port 9000"})
    void an_option_for_a_setting_names_its_variable(String command) {
        CliRun run = CliRun.of(environment(), command.split(" ", -1));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Error: Unknown option")
                .contains("environment variables, not options: PORT=9000 porchlight serve\n")
                .contains("Usage: porchlight serve");
    }

    @Test
    void a_service_that_does_not_run_is_named() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        CliRun run = CliRun.of(environment(), "explain", "--code", "KE-4QF", "--url", "http://localhost:" + closed);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("Error: no service listens at http://localhost:" + closed
                        + ". Start it, or set its address with --url\n");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void the_launcher_names_a_java_home_without_java() throws Exception {
        String said = launch(directory.resolve("jdk").toString());

        assertThat(said)
                .contains("JAVA_HOME is " + directory.resolve("jdk") + ", but ", "unset it to use the java in PATH");
    }

    private static String launch(String javaHome) throws Exception {
        Path launcher = Path.of(System.getProperty("porchlight.root"), "server/src/main/bin/porchlight");
        ProcessBuilder builder = new ProcessBuilder("sh", launcher.toString(), "version").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", javaHome);
        builder.environment().put("PORCHLIGHT_LIB", ".");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(1);
        return said;
    }

    private Map<String, String> environment() {
        return Map.of("DATA_DIR", directory.resolve("data").toString());
    }
}
