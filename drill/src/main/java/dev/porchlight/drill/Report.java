// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The table in the report, between two markers: a line a row, replaced when the row is run again. */
final class Report {
    static final String BEGIN = "<!-- rows: written by ./porchlight drill -->";
    static final String END = "<!-- end of rows -->";
    private static final String HEAD = """
            | row | fault | expected | measured | verdict | promises | when |
            |---|---|---|---|---|---|---|
            """;

    private final Path file;

    Report(Path file) {
        this.file = file;
    }

    void write(About about, Verdict verdict) throws IOException {
        String text = Files.readString(file);
        int from = text.indexOf(BEGIN) + BEGIN.length() + 1;
        int to = text.indexOf(END);
        Map<Integer, String> lines = new TreeMap<>();
        text.substring(from, to)
                .lines()
                .filter(line -> line.startsWith("| <a id="))
                .forEach(line -> lines.put(number(line.replaceFirst("^.*?</a>(R\\d+) .*$", "$1")), line));
        lines.put(number(about.id()), line(about, verdict));
        Files.writeString(
                file, text.substring(0, from) + HEAD + String.join("\n", lines.values()) + "\n" + text.substring(to));
    }

    static String line(About about, Verdict verdict) {
        List<String> cells = List.of(
                "<a id=\"" + about.id().toLowerCase(Locale.ROOT) + "\"></a>" + about.id(),
                about.fault(),
                about.expected(),
                verdict.measured(),
                verdict.kind().toString(),
                about.promises().stream().map(Promise::name).collect(Collectors.joining(" ")),
                LocalDate.now(ZoneOffset.UTC) + ", JDK " + Runtime.version().feature());
        return "| " + String.join(" | ", cells) + " |";
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }
}
