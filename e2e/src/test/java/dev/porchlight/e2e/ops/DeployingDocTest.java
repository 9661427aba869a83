// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/deploying.md names existing files and settings, and its configurations work. */
class DeployingDocTest {
    /** Names in capitals that are not settings of the service. */
    private static final List<String> OTHER_NAMES = List.of(
            "JAVA_OPTS",
            "JDK_JAVA_OPTIONS",
            "MAVEN_ARGS",
            "SHA256SUMS",
            "PASSWORD",
            "REGION",
            "PROJECT",
            "REPOSITORY",
            "END");

    /** The variable of ops/compose.yaml from which it makes {@code DATABASE_URL}. */
    private static final String OF_COMPOSE = "POSTGRES_PASSWORD";

    @TempDir
    Path directory;

    @Test
    void every_variable_on_the_page_is_a_setting() throws IOException {
        List<String> variables = Stream.concat(Settings.all().stream().map(Setting::name), Stream.of(OF_COMPOSE))
                .toList();

        assertThat(groups("\\b([A-Z][A-Z_]{2,}[A-Z])=")).isNotEmpty().isSubsetOf(variables);
        assertThat(groups("`([A-Z][A-Z0-9_]{3,})[`=]"))
                .isNotEmpty()
                .allMatch(name -> variables.contains(name) || OTHER_NAMES.contains(name));
    }

    @Test
    void every_file_on_the_page_exists() throws IOException {
        assertThat(groups("\\b(ops/[\\w/.-]*\\w)"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(OpsFiles.ROOT.resolve(name)).exists());
    }

    @Test
    void prometheus_accepts_the_scrape_configuration() throws Exception {
        for (String file : List.of("porchlight.rules.yml", "porchlight.alerts.yml")) {
            Files.copy(OpsFiles.ROOT.resolve("ops/prometheus").resolve(file), directory.resolve(file));
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), block("yaml"));

        run(Requirements.program("promtool"), "check", "config", config.toString());
    }

    @Test
    void the_command_of_the_page_sets_the_runbook_address() throws Exception {
        Path alerts = Files.copy(OpsFiles.ALERTS, directory.resolve("porchlight.alerts.yml"));
        String command = groups("\\n(sed -i .*)\\n").get(0);

        run("sh", "-c", "cd '" + directory + "' && " + command);

        assertThat(Files.readString(alerts))
                .doesNotContain(OpsFiles.RUNBOOKS)
                .contains(
                        "runbook_url: https://wiki.mycompany.example/porchlight/operations/runbook.html#porchlightdown");
    }

    @Test
    void the_container_command_publishes_every_port_and_sets_the_admin_token() throws IOException {
        String image = Files.readString(OpsFiles.ROOT.resolve("ops/container/Containerfile"));
        String page = Files.readString(OpsFiles.ROOT.resolve("docs/guides/deploying.md"));
        var exposed = Pattern.compile("^EXPOSE (.*)$", Pattern.MULTILINE).matcher(image);
        assertThat(exposed.find()).isTrue();

        for (String text : List.of(image, page)) {
            String command = text.replaceAll("\\\\\\n#?", "")
                    .lines()
                    .filter(line -> line.contains("podman run"))
                    .findFirst()
                    .orElseThrow();
            assertThat(command).contains("-e ADMIN_TOKEN");
            for (String port : exposed.group(1).split(" ", -1)) {
                assertThat(command).containsPattern("-p \\S*\\b" + port + ":" + port + "\\b");
            }
        }
    }

    private static String page() throws IOException {
        return Files.readString(OpsFiles.ROOT.resolve("docs/guides/deploying.md"));
    }

    private static String block(String language) throws IOException {
        return groups("(?s)```" + language + "\n(.*?)```").get(0);
    }

    private static List<String> groups(String pattern) throws IOException {
        try (Stream<String> found =
                Pattern.compile(pattern).matcher(page()).results().map(match -> match.group(1))) {
            return found.distinct().toList();
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
