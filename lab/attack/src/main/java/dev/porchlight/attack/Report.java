// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The printed result of an attack. */
final class Report {
    private static final String ROW = "  %-24s %8s %8s %12s %10s%n";
    /** The maximum number of lines per group. */
    private static final int SHOWN = 20;

    private final List<Score> scores;

    Report(List<Score> scores) {
        this.scores = List.copyOf(scores);
    }

    boolean clean() {
        return scores.stream().allMatch(score -> score.through().isEmpty());
    }

    /** Prints the report. An aborted attack proves nothing, and the report says so. */
    void print(PrintStream out, boolean done) {
        out.printf(Locale.ROOT, ROW, "group", "attempts", "refused", "got through", "not tried");
        for (Score score : scores) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    score.group(),
                    score.attempts(),
                    score.refused(),
                    score.through().size(),
                    score.skipped());
        }
        scores.forEach(score -> print(out, "got through", score.group(), score.through()));
        scores.forEach(score -> print(out, "not tried", score.group(), score.reasons()));
        scores.forEach(score -> print(out, "note", score.group(), score.notes()));
        int attempts = scores.stream().mapToInt(Score::attempts).sum();
        int through = scores.stream().mapToInt(score -> score.through().size()).sum();
        if (!done) {
            out.println("Aborted after " + attempts + " attempts, of which " + through + " got through.");
        } else if (through == 0) {
            long broken = scores.stream().filter(score -> !score.complete()).count();
            out.println("Nothing got through in " + attempts + " attempts"
                    + (broken == 0 ? "." : ", but " + broken + " groups could not be tried to their end."));
        } else {
            out.println(through + " of " + attempts + " attempts GOT THROUGH.");
        }
    }

    private static void print(PrintStream out, String kind, String group, List<String> lines) {
        lines.stream().limit(SHOWN).forEach(line -> out.println(kind + ": " + group + ": " + line));
        if (lines.size() > SHOWN) {
            out.println(kind + ": " + group + ": and " + (lines.size() - SHOWN) + " more");
        }
    }
}
