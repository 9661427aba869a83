// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of the attempts of one group. For one thread. */
final class Score {
    private final String group;
    private final List<String> through = new ArrayList<>();
    private final Map<String, List<String>> skipped = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int refused;

    Score(String group) {
        this.group = group;
    }

    String group() {
        return group;
    }

    int attempts() {
        return refused + through.size();
    }

    int refused() {
        return refused;
    }

    /** What got through, and how that showed. */
    List<String> through() {
        return List.copyOf(through);
    }

    /** How many could not be tried. */
    int skipped() {
        return skipped.values().stream().mapToInt(List::size).sum();
    }

    /** What could not be tried, and why; many for the same reason in one line. */
    List<String> reasons() {
        List<String> lines = new ArrayList<>();
        skipped.forEach((why, attempts) ->
                lines.add((attempts.size() == 1 ? attempts.get(0) : attempts.size() + " attempts") + ": " + why));
        return lines;
    }

    /** What is worth knowing and neither good nor bad. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** A request that has to be refused. An answer that says the server failed is no refusal; that it cannot do this is one. */
    void judge(String attempt, Response response) {
        boolean failed = response.status() >= 500 && response.status() != 501 && response.status() != 505;
        check(attempt, !response.success() && !failed, "answered " + response.status());
    }

    /** An attempt that was refused if this holds. */
    void check(String attempt, boolean held, String otherwise) {
        if (held) {
            refused++;
        } else {
            through.add(attempt + ": " + otherwise);
        }
    }

    /** An attempt that the time did not suffice for. */
    void outOfTime(String attempt) {
        skip(attempt, "no time was left: raise the service's RATE_LIMIT_PER_MINUTE for the attack, or --minutes");
    }

    void skip(String attempt, String why) {
        skipped.computeIfAbsent(why, reason -> new ArrayList<>()).add(attempt);
    }

    void note(String text) {
        notes.add(text);
    }
}
