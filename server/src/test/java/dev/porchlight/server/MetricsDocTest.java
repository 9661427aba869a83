// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the metrics reference with what the service exports. */
class MetricsDocTest {
    private static final Pattern FAMILY =
            Pattern.compile("^# HELP (\\S+) (.+)\\n# TYPE \\S+ (\\S+)$", Pattern.MULTILINE);
    /** What follows the first full stop is only on the page. */
    private static final Pattern ROW = Pattern.compile(
            "^\\| `([a-z_]+)` \\| (counter|gauge|histogram|summary) \\| (.+?\\.)(?: .*)? \\|$", Pattern.MULTILINE);

    @TempDir
    Path data;

    @Test
    void the_reference_lists_exactly_the_exported_metrics_with_their_help_texts() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("porchlight.root"), "docs/reference/metrics.md"));
        try (RunningService service = new RunningService(Map.of("DATA_DIR", data.toString()), routes -> {})) {
            service.get("/health/ready");

            assertThat(ROW.matcher(page).results().map(row -> row.group(1) + ' ' + row.group(2) + ' ' + row.group(3)))
                    .containsExactlyInAnyOrderElementsOf(FAMILY.matcher(service.metrics())
                            .results()
                            .map(family -> family.group(1) + ' ' + family.group(3) + ' ' + family.group(2))
                            .toList());
        }
    }
}
