// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Program;
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

/** What docs/guides/deploying.md shows and names: files that are there, variables the service knows, configurations that work. */
class DeployingDocTest {
    /** Names in capitals that are no variables of the service. */
    private static final List<String> OTHERS = List.of(
            "JAVA_OPTS",
            "JDK_JAVA_OPTIONS",
            "MAVEN_ARGS",
            "SHA256SUMS",
            "PASSWORD",
            "REGION",
            "PROJECT",
            "REPOSITORY",
            "END");

    @TempDir
    Path directory;

    @Test
    void every_variable_it_sets_is_one() throws IOException {
        List<String> variables = Settings.all().stream().map(Setting::name).toList();

        assertThat(groups("\\b([A-Z][A-Z_]{2,}[A-Z])=")).isNotEmpty().isSubsetOf(variables);
        assertThat(groups("`([A-Z][A-Z0-9_]{3,})[`=]"))
                .isNotEmpty()
                .allMatch(name -> variables.contains(name) || OTHERS.contains(name));
    }

    @Test
    void every_file_it_names_is_there() throws IOException {
        assertThat(groups("\\b(ops/[\\w/.-]*\\w)"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(OpsFiles.ROOT.resolve(name)).exists());
    }

    @Test
    void prometheus_takes_its_scrape_configuration() throws Exception {
        for (String file : List.of("porchlight.rules.yml", "porchlight.alerts.yml")) {
            Files.copy(OpsFiles.ROOT.resolve("ops/prometheus").resolve(file), directory.resolve(file));
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), block("yaml"));

        run(Program.require("promtool"), "check", "config", config.toString());
    }

    @Test
    void links_to_the_runbook_get_the_address_that_its_command_sets() throws Exception {
        Path alerts = Files.copy(OpsFiles.ALERTS, directory.resolve("porchlight.alerts.yml"));
        String command = groups("\\n(sed -i .*)\\n").get(0);

        run("sh", "-c", "cd '" + directory + "' && " + command);

        assertThat(Files.readString(alerts))
                .doesNotContain(OpsFiles.RUNBOOKS)
                .contains("runbook_url: https://wiki.mycompany.example/porchlight/operations/runbook.html#porchlightdown");
    }

    @Test
    void the_container_is_run_with_every_port_published_and_a_token_for_the_console() throws IOException {
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
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
