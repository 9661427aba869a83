// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** Counts, in the database, events that are reported only now and then, so that no loop fills the audit log. */
public final class ReportedEvents {
    /** How long events are counted after the last report. */
    private static final Duration COUNTED = Duration.ofDays(2);

    private static final String COUNT =
            "INSERT INTO porchlight_reported_event (event_hash, reported_at, events) VALUES (?, ?, 1)"
                    + " ON CONFLICT (event_hash) DO UPDATE SET events = porchlight_reported_event.events + 1"
                    + " RETURNING events, reported_at";
    private static final String REPORT =
            "UPDATE porchlight_reported_event SET events = 1, reported_at = ? WHERE event_hash = ?";

    private ReportedEvents() {}

    private record Count(long events, long reportedAt) {}

    /**
     * Counts an event, within a transaction of the caller. It is reported if the last report, by any instance, is older, and
     * so are some after it.
     *
     * @param older the time before which the last report must be
     * @param some how many events are reported at once
     * @return the number of events since then that were not reported; empty if this one is not reported either
     */
    public static OptionalLong count(Connection connection, String event, Instant now, Instant older, int some)
            throws SQLException {
        String hash = hash(event);
        Count count = Sql.query(
                        connection, COUNT, row -> new Count(row.getLong(1), row.getLong(2)), hash, now.toEpochMilli())
                .get(0);
        if (count.events <= some) {
            return OptionalLong.of(0);
        }
        if (count.reportedAt >= older.toEpochMilli()) {
            return OptionalLong.empty();
        }
        Sql.update(connection, REPORT, now.toEpochMilli(), hash);
        return OptionalLong.of(count.events - 1 - some); // without this one and those that were reported
    }

    /** Whether an event was reported after a time, by any instance. */
    public static boolean isReported(Sql sql, String event, Instant after) {
        String find = "SELECT 1 FROM porchlight_reported_event WHERE event_hash = ? AND reported_at >= ?";
        return sql.exists(find, hash(event), after.toEpochMilli());
    }

    /** Removes the counts of events whose last report is two days old. */
    static void removeOld(Sql sql, long now) {
        sql.update("DELETE FROM porchlight_reported_event WHERE reported_at < ?", now - COUNTED.toMillis());
    }

    private static String hash(String event) {
        return Bytes.ofUtf8(event).sha256().base64Url();
    }
}
