// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The systemd unit and the container image match the service, and the tools accept them. */
class HostFilesTest {
    private static final Path UNIT = OpsFiles.ROOT.resolve("ops/systemd/porchlight.service");
    private static final Path IMAGE = OpsFiles.ROOT.resolve("ops/container/Containerfile");
    private static final Path SERVER_POM = OpsFiles.ROOT.resolve("server/pom.xml");

    @TempDir
    Path directory;

    @Test
    void systemd_accepts_the_unit_and_rates_it_as_safe() throws Exception {
        String analyze = Requirements.program("systemd-analyze");
        // The program is not installed here, but systemd requires an existing one.
        Path unit = Files.writeString(
                directory.resolve("porchlight.service"),
                Files.readString(UNIT).replace("/opt/porchlight/bin/porchlight", "/bin/true"));

        assertThat(run(analyze, "verify", unit.toString())).isEmpty();
        assertThat(run(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", unit.toString()))
                .contains("OK");
    }

    @Test
    void the_unit_sets_known_variables_and_a_sufficient_stop_timeout() throws Exception {
        String unit = Files.readString(UNIT);
        assertThat(groups(unit, "^Environment=(\\w+)=")).isNotEmpty().allSatisfy(HostFilesTest::assertKnown);

        assertThat(unit).contains("\nLimitCORE=0\n");
        Config config = Config.read(Map.of("HOST", "0.0.0.0"));
        long shutdownSeconds = config.get(Settings.SHUTDOWN_DELAY_MS)
                .plus(config.get(Settings.SHUTDOWN_TIMEOUT_MS))
                .toSeconds();
        assertThat(groups(unit, "^TimeoutStopSec=(\\d+)$"))
                .singleElement()
                .satisfies(seconds -> assertThat(Long.parseLong(seconds)).isGreaterThan(shutdownSeconds + 5));
    }

    @Test
    void both_images_use_the_same_unprivileged_user_and_variables() throws Exception {
        String file = Files.readString(IMAGE);
        String pom = Files.readString(SERVER_POM);

        assertThat(groups(file, "^USER (\\S+)$"))
                .isEqualTo(groups(pom, "<user>(.*)</user>"))
                .containsExactly("10001:10001");
        assertThat(groups(file, "^EXPOSE (.*)$").get(0).split(" "))
                .containsExactlyElementsOf(groups(pom, "<port>(\\d+)</port>"));
        assertThat(groups(file, "BASE=docker.io/library/(\\S+@sha256:[0-9a-f]{64})"))
                .hasSize(1)
                .isEqualTo(groups(pom, "<jib.from.image>(.*)</"));
        for (String variable : groups(file, "^(?:ENV| {3}) (\\w+)=")) {
            assertKnown(variable);
            String value = groups(file, "\\b" + variable + "=(\\S+)").get(0);
            assertThat(pom).contains("<" + variable + ">" + value + "</" + variable + ">");
        }
    }

    @Test
    void the_jib_image_uses_the_options_of_the_start_script() throws Exception {
        String script = Files.readString(OpsFiles.ROOT.resolve("server/src/main/bin/porchlight"));

        assertThat(groups(Files.readString(SERVER_POM), "<jvmFlag>(.*)</jvmFlag>"))
                .isNotEmpty()
                .allSatisfy(option -> assertThat(script).contains(option));
    }

    @Test
    void an_out_of_memory_error_restarts_the_process() throws Exception {
        String exit = "-XX:+ExitOnOutOfMemoryError"; // with status 3
        assertThat(Files.readString(OpsFiles.ROOT.resolve("server/src/main/bin/porchlight")))
                .contains(exit);
        assertThat(groups(Files.readString(SERVER_POM), "<jvmFlag>(.*)</jvmFlag>"))
                .contains(exit);
        assertThat(Files.readString(UNIT))
                .contains("ExecStart=/opt/porchlight/bin/porchlight serve")
                .contains("Restart=on-failure")
                .contains("RestartPreventExitStatus=2\n");
        assertThat(Files.readString(IMAGE)).contains("ENTRYPOINT [\"/opt/porchlight/bin/porchlight\"]");
        assertThat(Files.readString(OpsFiles.ROOT.resolve("ops/kubernetes/deployment.yaml")))
                .doesNotContain("restartPolicy", "command:");
    }

    private static void assertKnown(String variable) {
        assertThat(Stream.concat(Settings.all().stream().map(Setting::name), Stream.of("JAVA_OPTS")))
                .contains(variable);
    }

    private static List<String> groups(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
