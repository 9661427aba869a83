// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Checks expositions with Prometheus' promtool. CI requires it; elsewhere the tests are skipped without it. */
class PromtoolTest {
    @Test
    void promtool_accepts_the_automatic_metrics_and_unusual_labels() throws Exception {
        var registry = new MetricRegistry();
        try (var automatic = new AutomaticMetrics(registry)) {
            automatic.http().route("GET", "/users/{id}").record(200, 12_345_678);
            registry.counter("awkward_total")
                    .help("Back\\slash, \"quotes\",\nlines.")
                    .labels("x")
                    .register()
                    .with("q\" b\\ n\n r\r \ud83d é")
                    .inc(0.1);
            registry.histogram("spread_seconds")
                    .help("Bounds of all sizes.")
                    .buckets(1e-9, 1e-5, 1, 1e6, 1e21)
                    .register()
                    .observe(0.1 + 0.2);
            assertThat(check(Exposition.bytes(registry, Format.TEXT))).isEmpty();
        }
    }

    @Test
    void promtool_reports_an_invalid_exposition() throws Exception {
        byte[] bad = "# TYPE a histogram\na_bucket{le=\"1.0\"} x\n".getBytes(StandardCharsets.UTF_8);
        assertThat(check(bad)).contains("parsing error in line 2");
    }

    /** Returns promtool's errors; empty if it accepts the exposition. */
    private static String check(byte[] exposition) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(promtool().toString(), "check", "metrics")
                .redirectErrorStream(true)
                .start();
        try (var in = process.getOutputStream()) {
            in.write(exposition);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assertThat(status == 0).as(said).isEqualTo(said.isEmpty());
        return said;
    }

    private static Path promtool() {
        Map<String, String> environment = System.getenv();
        Optional<Path> found = Arrays.stream(
                        environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst();
        if (found.isEmpty()) {
            String why = "promtool is not on the PATH (Debian: apt-get install prometheus)";
            assertThat(environment.get("CI")).as(why).isNotEqualTo("true");
            System.err.println("Skipped: " + why);
            Assumptions.abort(why);
        }
        return found.get();
    }
}
