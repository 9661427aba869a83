// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.scenario.Runner;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs the scenarios named on the command line, or all, and updates the report. */
public final class Main {
    private Main() {}

    /** Arguments: the report file, {@code --short} for fewer rounds without updating the report, and row ids. */
    public static void main(String[] args) throws IOException {
        List<String> words = new ArrayList<>(List.of(args));
        Report report = new Report(Path.of(words.remove(0)));
        boolean shortened = words.remove("--short");
        words.replaceAll(word -> word.toUpperCase(Locale.ROOT));
        List<String> known = Scenarios.ALL.stream().map(Scenario::id).toList();
        if (!known.containsAll(words)) {
            System.err.println("Unknown row. Known rows: " + String.join(" ", known) + ", and memory");
            System.exit(2);
        }
        List<String> failed = new ArrayList<>();
        Runner runner = new Runner(shortened, System.err);
        for (Scenario scenario : Scenarios.ALL) {
            String id = scenario.id();
            if (words.isEmpty() || words.contains(id)) {
                System.out.println(id + ": " + report.fault(id));
                long begin = System.nanoTime();
                ScenarioResult result = runner.run(scenario);
                System.out.printf(
                        Locale.ROOT,
                        "%s %s after %.0f s: %s%n%n",
                        id,
                        result.kind(),
                        (System.nanoTime() - begin) / 1e9,
                        result.measured());
                if (result.kind() == ScenarioResult.Kind.FAILED) {
                    failed.add(id);
                }
                if (!shortened && result.kind() != ScenarioResult.Kind.SKIPPED) {
                    report.write(id, result);
                }
            }
        }
        runner.close();
        System.out.println(failed.isEmpty() ? "No row failed." : "Failed: " + String.join(" ", failed));
        System.exit(failed.isEmpty() ? 0 : 1);
    }
}
