// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboards and alerts for any application use metrics and labels that every application with the middleware has. */
class GrafanaTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Pattern METRIC = Pattern.compile("[a-z][a-z0-9_]+(?=\\{job)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern NAME =
            Pattern.compile("\\b(?:http|health|process|jvm|obs)_[a-z_]+(?:_total|_bucket|_bytes|_status)\\b");

    @ParameterizedTest
    @ValueSource(strings = {"requests", "runtime"})
    void a_dashboard_uses_metrics_and_labels_of_the_middleware(String name) throws IOException {
        String dashboard = Files.readString(ROOT.resolve("ops/grafana/application/" + name + ".json"));
        Set<String> used = found(METRIC, dashboard.replace("\\\"", "\""), 0);
        String exposed = exposed();
        assertThat(used)
                .hasSizeGreaterThan(4)
                .allMatch(metric -> exposed.contains("\n" + metric + " ")
                        || exposed.contains("\n" + metric + "{")
                        || exposed.contains("\n# TYPE " + metric + " "));
        Set<String> labels = found(LEGEND, dashboard, 1);
        labels.remove("instance"); // added by Prometheus
        labels.remove("metric"); // of a counter without series until something overflows
        assertThat(labels).isNotEmpty().allMatch(label -> exposed.contains(label + "=\""));
    }

    @Test
    void the_alerts_of_the_guide_use_metrics_of_the_middleware() throws IOException {
        String guide = Files.readString(ROOT.resolve("docs/guides/observability/practice.md"));
        String exposed = exposed();
        assertThat(found(NAME, guide, 0))
                .hasSizeGreaterThan(5)
                .allMatch(metric -> exposed.contains("\n" + metric) || exposed.contains("\n# TYPE " + metric + " "));
    }

    private static Set<String> found(Pattern pattern, String text, int group) {
        Set<String> found = new TreeSet<>();
        pattern.matcher(text).results().forEach(result -> found.add(result.group(group)));
        return found;
    }

    private static String exposed() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Observability observe = Observability.open(
                ObservabilitySettings.fromEnvironment("shop", Map.of()),
                LogWriter.to(OutputStream.nullOutputStream()))) {
            observe.health().register("stock", CheckResult::up);
            observe.health().ready();
            observe.automatic().http().route("GET", "/orders").record(200, 1);
            observe.metrics().scrape(Format.TEXT, out);
        }
        return out.toString(UTF_8);
    }
}
