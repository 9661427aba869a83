// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page with the fault table. It describes the rows; the drill writes the last three cells: measured, result and when. */
final class Report {
    private final Path file;

    Report(Path file) {
        this.file = file;
    }

    /** The fault of a row. */
    String fault(String id) {
        return row(id, read()).group("fault").strip();
    }

    void write(String id, ScenarioResult result) throws IOException {
        String text = read();
        Matcher row = row(id, text);
        String cells = String.join(
                " | ",
                row.group("described"),
                result.measured().replace("|", "/"),
                result.kind().toString(),
                LocalDate.now(ZoneOffset.UTC) + ", JDK " + Runtime.version().feature() + " |");
        Files.writeString(file, text.substring(0, row.start()) + cells + text.substring(row.end()));
    }

    private String read() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Matcher row(String id, String text) {
        String anchor = "\\| <a id=\"" + id.toLowerCase(Locale.ROOT) + "\"></a>" + id + " \\|";
        Matcher row = Pattern.compile("(?m)^(?<described>" + anchor + "[^|]*\\|(?<fault>[^|]*)\\|[^|]*?) \\|.*$")
                .matcher(text);
        if (!row.find()) {
            throw new IllegalArgumentException("the report has no row " + id + ": describe it there first");
        }
        return row;
    }
}
