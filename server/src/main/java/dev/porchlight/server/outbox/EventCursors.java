// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * How far the audit log was read for each endpoint, in the table {@code porchlight_event_cursor}: the last row of each chain. A
 * chain without a row has not been read.
 */
final class EventCursors {
    private static final String START = "INSERT INTO porchlight_event_cursor (webhook_id, chain, seq)"
            + " SELECT ?, chain, seq FROM porchlight_audit_head WHERE chain <> ''"
            + " ON CONFLICT (webhook_id, chain) DO UPDATE SET seq = excluded.seq";
    private static final String BEHIND = "SELECT w.webhook_id, h.chain, COALESCE(c.seq, -1), h.seq"
            + " FROM porchlight_webhook AS w CROSS JOIN porchlight_audit_head AS h"
            + " LEFT JOIN porchlight_event_cursor AS c ON c.webhook_id = w.webhook_id AND c.chain = h.chain"
            + " WHERE w.enabled = 1 AND h.chain <> '' AND h.seq > COALESCE(c.seq, -1)";
    private static final String FIRST = "INSERT INTO porchlight_event_cursor (webhook_id, chain, seq)"
            + " SELECT webhook_id, ?, ? FROM porchlight_webhook WHERE webhook_id = ? AND enabled = 1"
            + " ON CONFLICT (webhook_id, chain) DO NOTHING";
    private static final String MOVE =
            "UPDATE porchlight_event_cursor SET seq = ? WHERE webhook_id = ? AND chain = ? AND seq = ?";

    private EventCursors() {}

    /**
     * Rows that were not read yet for an endpoint.
     *
     * @param after the last row that was read, or -1
     * @param head the newest row
     */
    record Behind(String webhookId, String chain, long after, long head) {}

    /** Starts to read for an endpoint at the present end of the log, within a transaction of the caller. */
    static void start(Connection connection, String webhookId) throws SQLException {
        Sql.update(connection, START, webhookId);
    }

    static void remove(Connection connection, String webhookId) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_event_cursor WHERE webhook_id = ?", webhookId);
    }

    /** Where there are new rows for endpoints that are enabled. */
    static List<Behind> behind(Sql sql) {
        return sql.query(BEHIND, row -> new Behind(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
    }

    /** Moves a cursor, within a transaction of the caller; false if another instance has moved it, or the endpoint has ended. */
    static boolean advance(Connection connection, Behind from, long seq) throws SQLException {
        return from.after() < 0
                ? Sql.update(connection, FIRST, from.chain(), seq, from.webhookId()) == 1
                : Sql.update(connection, MOVE, seq, from.webhookId(), from.chain(), from.after()) == 1;
    }

    /** Removes what remains of endpoints that do not exist. */
    static void sweep(Sql sql) {
        sql.update("DELETE FROM porchlight_event_cursor WHERE webhook_id NOT IN"
                + " (SELECT webhook_id FROM porchlight_webhook)");
    }
}
