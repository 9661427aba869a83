// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The report file: one section a comparison, replaced in place when the comparison is run again. */
final class Report {
    private final Path file;

    Report(Path file) {
        this.file = file;
    }

    /** One comparison as a Markdown section between markers that {@link #write} finds again. */
    static String section(Comparison comparison, List<Measurement> measurements, int rounds) {
        var ours = measurements.get(measurements.size() - 1);
        var text = new StringBuilder(begin(comparison.name()))
                .append("\n### ")
                .append(comparison.operation())
                .append("\n\n| contestant | time | spread | allocated | ours takes |\n|---|---:|---:|---:|---:|\n");
        for (var measurement : measurements) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s to %s | %s | %s |%n",
                    measurement.label(),
                    time(measurement.medianNanos()),
                    time(measurement.lowestNanos()),
                    time(measurement.highestNanos()),
                    size(measurement.medianBytes()),
                    measurement == ours ? "" : ratio(ours.medianNanos() / measurement.medianNanos())));
        }
        return text.append(String.format(
                        Locale.ROOT,
                        "%nGoal: %s. Median of %d interleaved rounds, JDK %s, %s, %s: `./porchlight bench %s`.%n",
                        comparison.goal(),
                        rounds,
                        Runtime.version().feature(),
                        System.getProperty("os.arch"),
                        LocalDate.now(ZoneOffset.UTC),
                        comparison.name()))
                .append(end(comparison.name()))
                .append('\n')
                .toString();
    }

    void write(String name, String section) throws IOException {
        String text = Files.exists(file) ? Files.readString(file) : "# Benchmarks\n";
        var old = Pattern.compile(Pattern.quote(begin(name)) + ".*?" + Pattern.quote(end(name)) + "\n", Pattern.DOTALL)
                .matcher(text);
        Files.writeString(
                file, old.find() ? old.replaceFirst(Matcher.quoteReplacement(section)) : text + "\n" + section);
    }

    private static String begin(String name) {
        return "<!-- " + name + " -->";
    }

    private static String end(String name) {
        return "<!-- end of " + name + " -->";
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, value < 0.095 ? "%.3f of it" : "%.2f of it", value);
    }

    private static String time(double nanos) {
        if (nanos >= 1e5) {
            return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
        }
        return String.format(Locale.ROOT, nanos >= 100 ? "%.0f ns" : "%.1f ns", nanos);
    }

    private static String size(double bytes) {
        if (bytes >= 10_240) {
            return String.format(Locale.ROOT, "%.0f KiB", bytes / 1024);
        }
        return String.format(Locale.ROOT, "%.0f B", bytes);
    }
}
