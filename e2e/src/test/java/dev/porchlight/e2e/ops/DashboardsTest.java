// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.e2e.ops.OpsFiles.Panel;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DashboardsTest {
    private static final int COLUMNS = 24;

    @TempDir
    Path directory;

    @Test
    void every_panel_shows_data_after_a_short_load() throws Exception {
        Requirements.program("prometheus");
        List<String> queries = OpsFiles.panels().stream()
                .flatMap(panel -> panel.queries().stream())
                .map(DashboardsTest::withoutFallback)
                .distinct()
                .toList();
        try (Traffic traffic = Traffic.start(directory);
                PrometheusServer prometheus = PrometheusServer.start(directory, traffic.ports())) {
            awaitData(prometheus, queries, traffic::round);
            assertThat(OpsFiles.maps(prometheus.rules().get("groups"))
                            .flatMap(group -> OpsFiles.maps(group.get("rules")))
                            .filter(rule -> !"ok".equals(rule.get("health"))))
                    .as("rules that Prometheus could not evaluate")
                    .isEmpty();
        }
    }

    /** Without traffic, a canary, Redis and a collector. */
    @Test
    void a_panel_of_an_idle_service_shows_data_or_explains_why_not() throws Exception {
        Requirements.program("prometheus");
        var variables = Map.of("PORT", Integer.toString(Ports.free()), "DATA_DIR", directory + "/quiet");
        try (App app = App.start(
                        Config.read(Patience.variables(variables)),
                        LogWriter.to(OutputStream.nullOutputStream()),
                        false,
                        routes -> {});
                PrometheusServer prometheus = PrometheusServer.start(directory, app.port())) {
            awaitData(
                    prometheus,
                    OpsFiles.panels().stream()
                            .filter(DashboardsTest::hasNoExplanation)
                            .flatMap(panel -> panel.queries().stream())
                            .map(DashboardsTest::withVariables)
                            .toList(),
                    () -> {});
        }
    }

    /** Waits until each query has found data. A machine that misses a scrape has none at that time. */
    private static void awaitData(PrometheusServer prometheus, List<String> queries, ThrowingRunnable before) {
        Set<String> pending = new HashSet<>(queries);
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .untilAsserted(() -> {
                    before.run();
                    for (String query : List.copyOf(pending)) {
                        if (prometheus.count(query) > 0) {
                            pending.remove(query);
                        }
                    }
                    assertThat(pending).isEmpty();
                });
    }

    private static boolean hasNoExplanation(Panel panel) {
        Map<?, ?> fields = (Map<?, ?>) ((Map<?, ?>) panel.json().get("fieldConfig")).get("defaults");
        return fields.get("noValue") == null;
    }

    /** Returns the query without its fallback to zero. */
    private static String withoutFallback(String query) {
        return withVariables(query).replace(" or on() vector(0)", "");
    }

    /** Returns the query with Grafana's variables replaced. */
    private static String withVariables(String query) {
        return query.replace("$job", "porchlight")
                .replace("$instance", ".+")
                .replace("$__rate_interval", "30s")
                .replace("$__range", "1m");
    }

    @Test
    void panels_fill_the_width_without_overlap() {
        for (String name : OpsFiles.DASHBOARDS) {
            List<Map<?, ?>> panels =
                    OpsFiles.maps(OpsFiles.dashboard(name).get("panels")).toList();
            Map<Integer, Integer> filled = new TreeMap<>();
            Set<String> cells = new HashSet<>();
            for (Map<?, ?> panel : panels) {
                Map<?, ?> position = (Map<?, ?>) panel.get("gridPos");
                for (int y = at(position, "y"); y < at(position, "y") + at(position, "h"); y++) {
                    for (int x = at(position, "x"); x < at(position, "x") + at(position, "w"); x++) {
                        assertThat(cells.add(x + "," + y))
                                .as(name + ": " + panel.get("title"))
                                .isTrue();
                        filled.merge(y, 1, Integer::sum);
                    }
                }
            }
            assertThat(filled.values()).as(name).allMatch(width -> width == COLUMNS);
            assertThat(panels.stream().map(panel -> panel.get("id"))).as(name).doesNotHaveDuplicates();
        }
    }

    private static int at(Map<?, ?> position, String key) {
        return (Integer) position.get(key);
    }

    @Test
    void every_panel_uses_the_selected_data_source_job_and_instance() {
        for (String name : OpsFiles.DASHBOARDS) {
            Map<?, ?> variables = (Map<?, ?>) OpsFiles.dashboard(name).get("templating");
            assertThat(OpsFiles.maps(variables.get("list")).map(variable -> (Object) variable.get("name")))
                    .containsExactly("datasource", "job", "instance");
        }
        List<String> violations = new ArrayList<>();
        for (Panel panel : OpsFiles.panels()) {
            assertThat(((Map<?, ?>) panel.json().get("datasource")).get("uid"))
                    .as(panel.title())
                    .isEqualTo("${datasource}");
            for (String query : panel.queries()) {
                for (var selector : PromQl.parse(query).selectors()) {
                    boolean recorded = selector.metric().contains(":");
                    if (!selector.labels().contains("job")
                            || !recorded && !selector.labels().contains("instance")) {
                        violations.add(panel.title() + ": " + query);
                    }
                }
            }
        }
        assertThat(violations).isEmpty();
    }
}
