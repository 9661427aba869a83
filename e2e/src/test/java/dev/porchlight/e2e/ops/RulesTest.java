// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RulesTest {
    private static final Path PROMETHEUS = OpsFiles.ROOT.resolve("ops/prometheus");
    private static final Pattern HEADING = Pattern.compile("^## (\\w+)$", Pattern.MULTILINE);

    @Test
    void promtool_accepts_the_rules_and_the_scrape_configuration() throws Exception {
        promtool("check", "rules", OpsFiles.RULES.toString(), OpsFiles.ALERTS.toString());
        promtool("check", "config", PROMETHEUS.resolve("prometheus.yml").toString());
    }

    @Test
    void alerts_fire_when_they_should_and_only_then() throws Exception {
        List<String> command = new ArrayList<>(List.of("test", "rules"));
        tests().map(Path::toString).forEach(command::add);

        promtool(command.toArray(String[]::new));
    }

    @Test
    void every_alert_has_a_test_that_fires_it() throws Exception {
        StringBuilder cases = new StringBuilder();
        for (Path test : tests().toList()) {
            cases.append(Files.readString(test));
        }
        assertThat(OpsFiles.alerts())
                .allSatisfy(alert -> assertThat(cases.toString())
                        .containsPattern("alertname: " + alert.name() + "\n\\s+exp_alerts:"));
    }

    @Test
    void every_alert_has_annotations_and_a_runbook_chapter() throws Exception {
        String runbook = Files.readString(OpsFiles.ROOT.resolve("docs/operations/runbook.md"));

        assertThat(OpsFiles.alerts()).allSatisfy(alert -> {
            assertThat(alert.severity()).isIn("page", "ticket");
            assertThat(OpsFiles.text(alert.annotations(), "summary")).isNotBlank();
            assertThat(OpsFiles.text(alert.annotations(), "description")).endsWith(".");
            assertThat(OpsFiles.text(alert.annotations(), "runbook_url"))
                    .isEqualTo(OpsFiles.RUNBOOKS + "/operations/runbook.html#"
                            + alert.name().toLowerCase(Locale.ROOT));
        });
        assertThat(HEADING.matcher(runbook).results().map(heading -> heading.group(1)))
                .containsExactlyElementsOf(
                        OpsFiles.alerts().stream().map(OpsFiles.Rule::name).toList());
    }

    private static Stream<Path> tests() throws IOException {
        try (Stream<Path> files = Files.list(PROMETHEUS.resolve("tests"))) {
            return files.sorted().toList().stream();
        }
    }

    private static void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Requirements.program("promtool")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("GOGC", "400"); // short-lived, so garbage collection is unnecessary
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
    }
}
