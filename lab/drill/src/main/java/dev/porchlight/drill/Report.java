// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.scenario.Promise;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.ScenarioResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report's two tables, each between its markers: the promises, and one line per row, replaced when the row runs again. */
final class Report {
    private static final String ROWS = """
            | row | promises | fault | expected | measured | result | when |
            |---|---|---|---|---|---|---|
            """;
    private static final String NOT_RUN = " | not run | |";
    private static final String PROMISES = """
            | | promise | shown by |
            |---|---|---|
            """;

    private final Path file;

    Report(Path file) {
        this.file = file;
    }

    /** Writes the result of one scenario and updates the rest. */
    void write(List<Scenario> scenarios, Scenario run, ScenarioResult result) throws IOException {
        String text = Files.readString(file);
        String old = between(text, "rows");
        StringBuilder table = new StringBuilder(ROWS);
        for (Scenario scenario : scenarios) {
            String begin = begin(scenario);
            table.append(
                    scenario.equals(run)
                            ? begin + end(result)
                            : old.lines()
                                    .filter(line -> line.startsWith(begin))
                                    .findFirst()
                                    .orElse(begin + NOT_RUN));
            table.append('\n');
        }
        Files.writeString(file, replace(replace(text, "rows", table.toString()), "promises", promises(scenarios)));
    }

    /** The cells of a row that do not depend on a run. */
    static String begin(Scenario scenario) {
        String promises = scenario.promises().stream().map(Promise::name).collect(Collectors.joining(" "));
        return "| <a id=\"" + anchor(scenario.id()) + "\"></a>" + scenario.id() + " | " + promises + " | "
                + scenario.fault() + " | " + scenario.expected() + " | ";
    }

    private static String end(ScenarioResult result) {
        return String.join(
                        " | ",
                        result.measured().replace("|", "/"),
                        result.kind().toString(),
                        LocalDate.now(ZoneOffset.UTC) + ", JDK "
                                + Runtime.version().feature())
                + " |";
    }

    /** The promises with links to the rows that demonstrate them. */
    static String promises(List<Scenario> scenarios) {
        StringBuilder table = new StringBuilder(PROMISES);
        for (Promise promise : Promise.values()) {
            List<String> shown = new ArrayList<>();
            scenarios.stream()
                    .filter(one -> one.promises().contains(promise))
                    .forEach(one -> shown.add("[" + one.id() + "](#" + anchor(one.id()) + ")"));
            String links = Stream.of(String.join(" ", shown), promise.tests())
                    .filter(it -> !it.isEmpty())
                    .collect(Collectors.joining("; "));
            table.append("| <a id=\"" + anchor(promise.name()) + "\"></a>" + promise + " | " + promise.text() + " | "
                    + links + " |\n");
        }
        return table.toString();
    }

    static String between(String text, String name) {
        return text.substring(text.indexOf(begin(name)) + begin(name).length(), text.indexOf(end(name)));
    }

    private static String replace(String text, String name, String table) {
        return text.substring(0, text.indexOf(begin(name)) + begin(name).length())
                + table
                + text.substring(text.indexOf(end(name)));
    }

    private static String begin(String name) {
        return "<!-- " + name + ": written by ./porchlight drill -->\n";
    }

    private static String end(String name) {
        return "<!-- end of " + name + " -->";
    }

    private static String anchor(String id) {
        return id.toLowerCase(Locale.ROOT);
    }
}
