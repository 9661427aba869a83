// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.report;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/** A section of the report in Markdown: a title, a table, remarks. Not thread-safe. */
public final class Section {
    private static final int JDK = Runtime.version().feature();
    private static final String ON_ANOTHER_JDK = JDK == 17 ? "" : " on JDK " + JDK;

    private final String name;
    private final StringBuilder text;

    /** A section of the named benchmark. Results of newer JDKs get separate sections. */
    public Section(String name, String title) {
        this.name = name;
        text = new StringBuilder("### ").append(title).append(ON_ANOTHER_JDK).append("\n\n");
    }

    /** Adds a table header, with {@code  | } between the names: this many text columns, the others are numeric. */
    public Section columns(int words, String names) {
        if (text.charAt(text.length() - 2) != '\n') {
            text.append('\n'); // after another table
        }
        row(names);
        text.append('|');
        for (int i = 0; i < names.split(" \\| ", -1).length; i++) {
            text.append(i < words ? "---|" : "---:|");
        }
        text.append('\n');
        return this;
    }

    public Section row(String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
        return this;
    }

    /** Adds a paragraph. */
    public Section remark(String format, Object... values) {
        text.append('\n').append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    /** Adds the last paragraph: the goal and the method. */
    public Section goal(String goal, int rounds) {
        return remark(
                "Goal: %s. Median of %d interleaved rounds, JDK %s, %s, %s: `./porchlight bench %s`.",
                goal, rounds, JDK, System.getProperty("os.arch"), LocalDate.now(ZoneOffset.UTC), name);
    }

    /** The key of the section in the report. */
    public String name() {
        return name + ON_ANOTHER_JDK;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
