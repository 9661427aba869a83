// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Program;
import dev.porchlight.e2e.ops.OpsFiles.Panel;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(420)
@Tag("slow")
class DashboardsTest {
    private static final int COLUMNS = 24;

    @TempDir
    Path directory;

    @Test
    void every_panel_shows_something_after_a_short_load() throws Exception {
        Program.require("prometheus");
        List<String> queries = OpsFiles.panels().stream()
                .flatMap(panel -> panel.queries().stream())
                .map(DashboardsTest::asked)
                .distinct()
                .toList();
        try (Traffic traffic = Traffic.start(directory);
                PrometheusServer prometheus = PrometheusServer.start(directory, traffic.ports())) {
            Set<String> unanswered = new HashSet<>(queries);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(5))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        traffic.round();
                        for (String query : List.copyOf(unanswered)) {
                            if (prometheus.found(query) > 0) {
                                unanswered.remove(query);
                            }
                        }
                        assertThat(unanswered).isEmpty();
                    });
            assertThat(OpsFiles.maps(prometheus.rules().get("groups"))
                            .flatMap(group -> OpsFiles.maps(group.get("rules")))
                            .filter(rule -> !"ok".equals(rule.get("health"))))
                    .as("rules that Prometheus could not evaluate")
                    .isEmpty();
        }
    }

    /** Before anyone comes, without a canary, Redis and a collector. */
    @Test
    void a_panel_of_a_quiet_service_shows_something_or_says_why_it_does_not() throws Exception {
        Program.require("prometheus");
        var variables = Map.of("PORT", Integer.toString(Ports.free()), "DATA_DIR", directory + "/quiet");
        try (App app = App.start(
                        Config.read(variables), LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {});
                PrometheusServer prometheus = PrometheusServer.start(directory, app.port())) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() ->
                            prometheus.found("rate(obs_scrape_duration_seconds_count{job=\"porchlight\"}[30s]) > 0")
                                    > 0);
            List<String> mute = new ArrayList<>();
            for (Panel panel : OpsFiles.panels()) {
                Map<?, ?> fields = (Map<?, ?>) ((Map<?, ?>) panel.json().get("fieldConfig")).get("defaults");
                if (fields.get("noValue") == null) {
                    for (String query : panel.queries()) {
                        if (prometheus.found(sent(query)) == 0) {
                            mute.add(panel.dashboard() + ": " + panel.title() + ": " + query);
                        }
                    }
                }
            }
            assertThat(mute).isEmpty();
        }
    }

    /** The query without the zero that stands in for nothing: here there is something. */
    private static String asked(String query) {
        return sent(query).replace(" or on() vector(0)", "");
    }

    /** The query as Grafana would send it. */
    private static String sent(String query) {
        return query.replace("$job", "porchlight")
                .replace("$instance", ".+")
                .replace("$__rate_interval", "30s")
                .replace("$__range", "1m");
    }

    @Test
    void panels_fill_the_width_and_none_lies_on_another() {
        for (String name : OpsFiles.DASHBOARDS) {
            List<Map<?, ?>> panels =
                    OpsFiles.maps(OpsFiles.dashboard(name).get("panels")).toList();
            Map<Integer, Integer> filled = new TreeMap<>();
            Set<String> cells = new HashSet<>();
            for (Map<?, ?> panel : panels) {
                Map<?, ?> place = (Map<?, ?>) panel.get("gridPos");
                for (int y = at(place, "y"); y < at(place, "y") + at(place, "h"); y++) {
                    for (int x = at(place, "x"); x < at(place, "x") + at(place, "w"); x++) {
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

    private static int at(Map<?, ?> place, String key) {
        return (Integer) place.get(key);
    }

    @Test
    void data_source_job_and_instance_can_be_chosen_and_every_panel_heeds_them() {
        for (String name : OpsFiles.DASHBOARDS) {
            Map<?, ?> variables = (Map<?, ?>) OpsFiles.dashboard(name).get("templating");
            assertThat(OpsFiles.maps(variables.get("list")).map(variable -> (Object) variable.get("name")))
                    .containsExactly("datasource", "job", "instance");
        }
        List<String> deaf = new ArrayList<>();
        for (Panel panel : OpsFiles.panels()) {
            assertThat(((Map<?, ?>) panel.json().get("datasource")).get("uid"))
                    .as(panel.title())
                    .isEqualTo("${datasource}");
            for (String query : panel.queries()) {
                for (var selector : PromQl.parse(query).selectors()) {
                    boolean recorded = selector.metric().contains(":");
                    if (!selector.labels().contains("job")
                            || !recorded && !selector.labels().contains("instance")) {
                        deaf.add(panel.title() + ": " + query);
                    }
                }
            }
        }
        assertThat(deaf).isEmpty();
    }
}
