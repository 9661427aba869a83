// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.passkey.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many refusals there were within a minute, by action and reason. The first {@value #ROWS_PER_MINUTE} of each have a row
 * of their own; the others become one row with their number, without the user ids, which strangers may choose freely. So the
 * log grows by a bounded number of rows a minute. Refusals that only the holder of a passkey can cause are counted by user, so
 * that nobody hides those of another user. Immutable.
 */
final class RefusalCounts {
    static final int ROWS_PER_MINUTE = 20;
    static final String REFUSED = "refused";
    static final String SUMMARY = "_summary";
    static final RefusalCounts NONE = new RefusalCounts(Long.MIN_VALUE, Map.of());
    private static final long MINUTE_MILLIS = 60_000;

    /** Reasons of refusals after a valid signature: the user is not one that a stranger chose. */
    private static final Set<String> OF_KNOWN_USERS = Set.of(Step.SIGN_COUNT.code(), Step.USER_UNLOCKED.code());

    /**
     * What is counted together.
     *
     * @param user empty where a stranger may have chosen the user
     */
    private record Kind(String action, String reason, String user) {
        static Kind of(AuditEvent event) {
            return new Kind(
                    event.action(), event.reason(), OF_KNOWN_USERS.contains(event.reason()) ? event.userId() : "");
        }
    }

    /** Events that have rows, the counts after them, and how many events were only counted. */
    record Counted(List<AuditEvent> events, RefusalCounts counts, int aggregated) {}

    private final long minute;
    private final Map<Kind, Long> counts;

    private RefusalCounts(long minute, Map<Kind, Long> counts) {
        this.minute = minute;
        this.counts = counts;
    }

    /** Whether some were counted that no row tells of yet. */
    boolean isOpen() {
        return counts.values().stream().anyMatch(count -> count > ROWS_PER_MINUTE);
    }

    /** Adds events of this moment, and ends the minute if it is over or the trail ends. */
    Counted add(List<AuditEvent> events, long now) {
        long thisMinute = Math.floorDiv(now, MINUTE_MILLIS);
        List<AuditEvent> rows = new ArrayList<>();
        Map<Kind, Long> next = new LinkedHashMap<>(counts);
        int aggregated = 0;
        if (thisMinute != minute) {
            rows.addAll(summaries(next));
            next.clear();
        }
        for (AuditEvent event : events) {
            if (event.equals(AuditTrail.TICK)) {
                continue;
            }
            if (event.action().equals(AuditTrail.STOPPED)) {
                rows.addAll(summaries(next));
                next.clear();
            }
            if (!event.outcome().equals(REFUSED) || next.merge(Kind.of(event), 1L, Long::sum) <= ROWS_PER_MINUTE) {
                rows.add(event);
            } else {
                aggregated++;
            }
        }
        return new Counted(rows, new RefusalCounts(thisMinute, next), aggregated);
    }

    private static List<AuditEvent> summaries(Map<Kind, Long> counts) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > ROWS_PER_MINUTE)
                .map(entry -> new AuditEvent(
                        entry.getKey().action() + SUMMARY,
                        entry.getKey().user(),
                        REFUSED,
                        entry.getKey().reason() + ' ' + (entry.getValue() - ROWS_PER_MINUTE),
                        ""))
                .toList();
    }
}
