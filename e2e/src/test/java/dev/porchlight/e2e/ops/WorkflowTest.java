// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The public CI and the updates of dependencies, in {@code .github}. */
class WorkflowTest {
    private static final Path ROOT = OpsFiles.ROOT;
    private static final Map<?, ?> JOBS = (Map<?, ?>)
            OpsFiles.document(ROOT.resolve(".github/workflows/ci.yml")).get("jobs");

    @Test
    void all_tests_run_on_the_oldest_and_the_newest_supported_jdk() {
        assertThat(matrix("suite", "jdk")).isEqualTo(List.of("17", "21", "25"));
        assertThat(commands("suite")).contains("./porchlight test");
    }

    @Test
    void unit_tests_run_on_macos_and_windows() {
        assertThat(String.valueOf(matrix("libraries", "os"))).contains("macos", "windows");
        assertThat(commands("libraries"))
                .anyMatch(command -> command.startsWith("./mvnw") && command.endsWith(" test"));
    }

    @Test
    void actions_have_an_exact_version() {
        List<String> actions = JOBS.keySet().stream()
                .flatMap(WorkflowTest::steps)
                .filter(step -> step.containsKey("uses"))
                .map(step -> OpsFiles.text(step, "uses"))
                .toList();

        assertThat(actions).isNotEmpty().allMatch(action -> action.matches("[\\w-]+/[\\w-]+@v\\d+\\.\\d+\\.\\d+"));
    }

    @Test
    void npm_updates_name_existing_projects() {
        Map<?, ?> npm = OpsFiles.maps(OpsFiles.document(ROOT.resolve(".github/dependabot.yml"))
                        .get("updates"))
                .filter(update -> "npm".equals(update.get("package-ecosystem")))
                .findFirst()
                .orElseThrow();

        assertThat((List<?>) npm.get("directories"))
                .isNotEmpty()
                .allSatisfy(directory -> assertThat(ROOT.resolve("." + directory + "/package-lock.json"))
                        .exists());
    }

    private static Object matrix(String job, String name) {
        Map<?, ?> strategy = (Map<?, ?>) ((Map<?, ?>) JOBS.get(job)).get("strategy");
        return ((Map<?, ?>) strategy.get("matrix")).get(name);
    }

    private static List<String> commands(String job) {
        return steps(job)
                .filter(step -> step.containsKey("run"))
                .map(step -> OpsFiles.text(step, "run"))
                .toList();
    }

    private static Stream<Map<?, ?>> steps(Object job) {
        return OpsFiles.maps(((Map<?, ?>) JOBS.get(job)).get("steps"));
    }
}
