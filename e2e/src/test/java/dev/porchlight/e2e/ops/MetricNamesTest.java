// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules and panels use only metrics, labels and label values that a running service exports. */
@Tag("slow")
class MetricNamesTest {
    @TempDir
    static Path directory;

    private static Traffic traffic;
    private static Exposition exported;

    @BeforeAll
    static void startTraffic() throws Exception {
        traffic = Traffic.start(directory);
        traffic.round();
        exported = new Exposition(traffic.metrics());
        for (var rule : OpsFiles.recorded()) {
            Set<String> labels = new HashSet<>(PromQl.parse(rule.expression()).groupings());
            exported.add(rule.name(), labels);
        }
    }

    @AfterAll
    static void stopTraffic() throws IOException {
        if (traffic != null) {
            traffic.close();
        }
    }

    @Test
    void recording_rules_use_exported_metrics() {
        assertThat(OpsFiles.recorded())
                .isNotEmpty()
                .allSatisfy(rule ->
                        assertThat(missing(rule.expression())).as(rule.name()).isEmpty());
    }

    @Test
    void alerts_use_exported_metrics() {
        assertThat(OpsFiles.alerts())
                .isNotEmpty()
                .allSatisfy(rule ->
                        assertThat(missing(rule.expression())).as(rule.name()).isEmpty());
    }

    @Test
    void panels_use_exported_metrics() {
        assertThat(OpsFiles.panels())
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.queries())
                        .as(panel.title())
                        .isNotEmpty()
                        .allSatisfy(
                                query -> assertThat(missing(query)).as(query).isEmpty()));
    }

    @Test
    void an_unknown_metric_label_or_value_is_found() {
        assertThat(missing("sum by (rout) (rate(http_request_total{status=\"200\"}[5m]))"))
                .containsExactly("metric http_request_total", "label rout of a group");
        assertThat(missing("db_pool_connections{state=\"idel\", pool=\"x\"}"))
                .anyMatch(missing -> missing.startsWith("value state=idel of db_pool_connections"))
                .contains("label pool of db_pool_connections");
    }

    private static List<String> missing(String query) {
        return exported.missing(PromQl.parse(query));
    }
}
