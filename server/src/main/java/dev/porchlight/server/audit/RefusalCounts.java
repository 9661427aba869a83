// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.passkey.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The refusals within one minute, by action, reason and client. The first {@value #ROWS_PER_MINUTE} of each get a separate row; the
 * others become one summary row without user ids, which strangers can choose freely. So the log grows by a bounded number of rows
 * per minute. Refusals that require a registered passkey are counted per user, so that one user cannot hide those of another.
 * Immutable.
 */
final class RefusalCounts {
    static final int ROWS_PER_MINUTE = 20;
    static final RefusalCounts NONE = new RefusalCounts(Long.MIN_VALUE, Map.of());
    private static final long MINUTE_MILLIS = 60_000;

    /** Reasons of refusals after a valid signature, whose user id is not chosen by a stranger. */
    private static final Set<String> OF_KNOWN_USERS = Set.of(Step.SIGN_COUNT.code(), Step.USER_UNLOCKED.code());

    /**
     * The key of a counter.
     *
     * @param user empty if a stranger may have chosen the user id
     */
    private record Kind(String action, String reason, String clientId, String user) {
        AuditEvent summary(long refusals) {
            return AuditEvent.summary(action, user, reason, refusals).withClient(clientId);
        }

        static Kind of(AuditEvent event) {
            String user = OF_KNOWN_USERS.contains(event.reason()) ? event.userId() : "";
            return new Kind(event.action(), event.reason(), event.clientId(), user);
        }
    }

    /** The events to write, the new counts, and the number of events that were only counted. */
    record Counted(List<AuditEvent> events, RefusalCounts counts, int aggregated) {}

    private final long minute;
    private final Map<Kind, Long> counts;

    private RefusalCounts(long minute, Map<Kind, Long> counts) {
        this.minute = minute;
        this.counts = counts;
    }

    /** Whether some were counted that have no summary row yet. */
    boolean isOpen() {
        return counts.values().stream().anyMatch(count -> count > ROWS_PER_MINUTE);
    }

    /** Adds events, and ends the minute if it is over or the trail ends. */
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
            if (event.action().equals(AuditAction.AUDIT_STOPPED.code())) {
                rows.addAll(summaries(next));
                next.clear();
            }
            if (!event.outcome().equals(AuditEvent.REFUSED)
                    || next.merge(Kind.of(event), 1L, Long::sum) <= ROWS_PER_MINUTE) {
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
                .map(entry -> entry.getKey().summary(entry.getValue() - ROWS_PER_MINUTE))
                .toList();
    }
}
