// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.JsonWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An audit row for operators.
 *
 * @param at in milliseconds since 1970
 * @param event the event; its user is shown as a pseudonym if they are unknown or erased
 * @param cursor the position of the row in the log
 */
public record AuditEntry(long at, AuditEvent event, Cursor cursor) {
    public static final String CSV_HEADER =
            "time,action,user,outcome,reason,operator,client,group,changed,further,correlationId\r\n";

    public void write(JsonWriter json) {
        json.number("at", at)
                .text("action", event.action())
                .text("userId", event.userId())
                .text("outcome", event.outcome())
                .text("reason", event.reason())
                .text("operator", event.operator())
                .text("clientId", event.clientId())
                .text("group", event.groupName())
                .texts(
                        "changed",
                        event.changed().isEmpty()
                                ? List.of()
                                : List.of(event.changed().split(", ")))
                .optionalNumber("further", event.further() == 0 ? null : event.further())
                .text("correlationId", event.correlationId());
    }

    /** The row as a line of CSV. */
    public String csv() {
        return Stream.of(
                        Instant.ofEpochMilli(at).toString(),
                        event.action(),
                        event.userId(),
                        event.outcome(),
                        event.reason(),
                        event.operator(),
                        event.clientId(),
                        event.groupName(),
                        event.changed(),
                        event.further() == 0 ? "" : Long.toString(event.further()),
                        event.correlationId())
                .map(AuditEntry::quoted)
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    /** A cell that no spreadsheet takes for a formula: users choose their names. */
    private static String quoted(String cell) {
        String safe = cell.matches("(?s)[=+\\-@\\t\\r].*") ? "'" + cell : cell;
        return '"' + safe.replace("\"", "\"\"") + '"';
    }

    /**
     * The rows that an operator looks for.
     *
     * @param userId the user, or a pseudonym; null for all
     * @param operator the label of the operator, as it is shown; null for all
     * @param action with its summaries; null for all
     * @param since in milliseconds since 1970
     * @param until in milliseconds since 1970, inclusive
     * @param after the row before the page; null for the newest rows
     */
    public record Query(
            @Nullable String userId,
            @Nullable String operator,
            @Nullable AuditAction action,
            long since,
            long until,
            @Nullable Cursor after) {
        public static Query ofUser(@Nullable String userId) {
            return new Query(userId, null, null, 0, Long.MAX_VALUE, null);
        }

        /** Whether a row is one of them, as it is shown. */
        public boolean accepts(AuditEntry row) {
            AuditEvent event = row.event();
            return (userId == null || userId.equals(event.userId()))
                    && (operator == null || operator.equals(event.operator()))
                    && (action == null
                            || event.action().replace(AuditEvent.SUMMARY, "").equals(action.code()))
                    && row.at() >= since
                    && row.at() <= until;
        }
    }

    public record Cursor(long at, String chain, long seq) implements Comparable<Cursor> {
        private static final int MAX_CHARS = 100;
        private static final Comparator<Cursor> ORDER = Comparator.comparingLong(Cursor::at)
                .thenComparing(Cursor::chain)
                .thenComparingLong(Cursor::seq);

        public static @Nullable Cursor parse(String text) {
            String[] parts = text.split(":", -1);
            try {
                return text.length() > MAX_CHARS || parts.length != 3
                        ? null
                        : new Cursor(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2]));
            } catch (NumberFormatException e) {
                return null;
            }
        }

        @Override
        public int compareTo(Cursor other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return at + ":" + chain + ':' + seq;
        }
    }
}
