// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import dev.porchlight.bench.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The report file: one section per benchmark, between markers, replaced when the benchmark runs again. */
final class Report {
    private final Path file;

    Report(Path file) {
        this.file = file;
    }

    void write(Section section) throws IOException {
        String begin = "<!-- " + section.name() + " -->\n";
        String end = "<!-- end of " + section.name() + " -->\n";
        String marked = begin + section + end;
        String text = Files.exists(file) ? Files.readString(file) : "# Benchmarks\n";
        var old = Pattern.compile(Pattern.quote(begin) + ".*?" + Pattern.quote(end), Pattern.DOTALL)
                .matcher(text);
        Files.writeString(file, old.find() ? old.replaceFirst(Matcher.quoteReplacement(marked)) : text + "\n" + marked);
    }
}
