// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of one group of attempts. Not thread-safe. */
final class Score {
    private final String group;
    private final List<String> through = new ArrayList<>();
    private final Map<String, List<String>> skipped = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int refused;
    private boolean complete = true;

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

    /** The attempts that got through, each with its symptom. */
    List<String> through() {
        return List.copyOf(through);
    }

    /** The number of skipped attempts. */
    int skipped() {
        return skipped.values().stream().mapToInt(List::size).sum();
    }

    /** The skipped attempts with their reasons, one line per reason. */
    List<String> reasons() {
        List<String> lines = new ArrayList<>();
        skipped.forEach((why, attempts) ->
                lines.add((attempts.size() == 1 ? attempts.get(0) : attempts.size() + " attempts") + ": " + why));
        return lines;
    }

    /** Neutral observations. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** An attempt that must be refused. A server error does not count as a refusal, 501 does. A service that is too busy has decided nothing. */
    void judge(String attempt, TestResponse response) {
        int status = response.status();
        boolean failed = status >= 500 && status != 501 && status != 505;
        if (status == 503) {
            skip(attempt, "the service was too busy");
        } else {
            check(attempt, !response.ok() && !failed, "status " + status);
        }
    }

    /** A valid request that must be served in spite of the attack, also if that makes the service busy. No response is status 0. */
    void expectServed(String attempt, int status) {
        check(attempt, status > 0 && status < 500, "status " + status);
    }

    /** An attempt that was refused if the condition holds. */
    void check(String attempt, boolean held, String otherwise) {
        if (held) {
            refused++;
        } else {
            through.add(attempt + ": " + otherwise);
        }
    }

    void skip(String attempt, String why) {
        skipped.computeIfAbsent(why, reason -> new ArrayList<>()).add(attempt);
    }

    /** The rest of the group cannot be tried, because a valid request failed. */
    void breakOff(String why) {
        complete = false;
        skip("the rest of the group", why);
    }

    /** Whether the group was tried to its end. */
    boolean complete() {
        return complete;
    }

    void note(String text) {
        notes.add(text);
    }
}
