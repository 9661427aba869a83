// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthReportTest {
    @Test
    void json_has_status_and_duration_per_check() {
        HealthReport report = new HealthReport(List.of(check("db", CheckStatus.UP, 1_234_567, Map.of())), 0, false);
        assertThat(text(report.json()))
                .isEqualTo("{\"status\":\"ok\",\"checks\":{\"db\":{\"status\":\"up\",\"durationMs\":1.234}}}");
    }

    @Test
    void json_has_the_rest_of_the_delay_and_the_draining_state() {
        assertThat(text(new HealthReport(List.of(), 1_500, false).json()))
                .isEqualTo("{\"status\":\"degraded\",\"remainingMs\":1500,\"checks\":{}}");
        assertThat(text(new HealthReport(List.of(), 0, true).json()))
                .isEqualTo("{\"status\":\"degraded\",\"draining\":true,\"checks\":{}}");
    }

    @Test
    void details_of_any_type_are_written_and_cannot_override_built_in_fields() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("status", "up");
        details.put("pool \"main\"", 7);
        details.put("share", 0.25);
        details.put("ratio", Double.NaN);
        details.put("ok", true);
        details.put("nothing", null);
        details.put("broken", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException();
            }
        });
        HealthReport report = new HealthReport(List.of(check("a\nb", CheckStatus.DOWN, 0, details)), 0, false);
        assertThat(text(report.json()))
                .isEqualTo("{\"status\":\"degraded\",\"checks\":{\"a\\nb\":{\"status\":\"down\",\"durationMs\":0.000,"
                        + "\"extra.status\":\"up\",\"pool \\\"main\\\"\":7,\"share\":0.25,\"ratio\":\"NaN\",\"ok\":true,"
                        + "\"nothing\":null,\"broken\":\"!error: java.lang.IllegalStateException\"}}}");
    }

    @Test
    void details_can_be_omitted() {
        HealthReport report = new HealthReport(
                List.of(check("db", CheckStatus.DOWN, 0, Map.of("error", "10.0.0.7 refused"))), 0, false);
        assertThat(text(report.jsonWithoutDetails()))
                .isEqualTo("{\"status\":\"degraded\",\"checks\":{\"db\":{\"status\":\"down\",\"durationMs\":0.000}}}");
    }

    private static CheckReport check(String name, CheckStatus status, long nanos, Map<String, Object> details) {
        return new CheckReport(name, CheckType.READINESS, status, nanos, details);
    }

    private static String text(byte[] json) {
        return new String(json, UTF_8);
    }
}
