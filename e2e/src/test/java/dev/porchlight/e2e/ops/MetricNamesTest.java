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

/** No rule and no panel asks for a metric, a label or a value of a label that a running service does not export. */
@Tag("slow")
class MetricNamesTest {
    @TempDir
    static Path directory;

    private static Traffic traffic;
    private static Exposition exported;

    @BeforeAll
    static void come() throws Exception {
        traffic = Traffic.start(directory);
        traffic.round();
        exported = new Exposition(traffic.metrics());
        for (var rule : OpsFiles.recorded()) {
            Set<String> kept = new HashSet<>(PromQl.parse(rule.expression()).groupings());
            exported.add(rule.name(), kept);
        }
    }

    @AfterAll
    static void go() throws IOException {
        if (traffic != null) {
            traffic.close();
        }
    }

    @Test
    void recorded_series_are_made_of_what_is_exported() {
        assertThat(OpsFiles.recorded())
                .isNotEmpty()
                .allSatisfy(rule ->
                        assertThat(missing(rule.expression())).as(rule.name()).isEmpty());
    }

    @Test
    void alerts_rest_on_what_is_exported() {
        assertThat(OpsFiles.alerts())
                .isNotEmpty()
                .allSatisfy(rule ->
                        assertThat(missing(rule.expression())).as(rule.name()).isEmpty());
    }

    @Test
    void panels_show_what_is_exported() {
        assertThat(OpsFiles.panels())
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.queries())
                        .as(panel.title())
                        .isNotEmpty()
                        .allSatisfy(
                                query -> assertThat(missing(query)).as(query).isEmpty()));
    }

    @Test
    void what_is_not_exported_is_noticed() {
        assertThat(missing("sum by (rout) (rate(http_request_total{status=\"200\"}[5m]))"))
                .containsExactly("metric http_request_total", "label rout of a group");
        assertThat(missing("db_pool_connections{state=\"idel\", pool=\"x\"}"))
                .anyMatch(fault -> fault.startsWith("value state=idel of db_pool_connections"))
                .contains("label pool of db_pool_connections");
    }

    private static List<String> missing(String query) {
        return exported.missing(PromQl.parse(query));
    }
}
