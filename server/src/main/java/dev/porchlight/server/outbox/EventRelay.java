// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.outbox.EventCursors.Behind;
import dev.porchlight.server.storage.Actor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns audit rows into messages for endpoints. Every change is committed with its audit row, so there is an event for each
 * change that was committed, and none for a change that was rolled back. The messages of some rows and the endpoint's position
 * are written in one transaction, which fails if another instance has written them. Thread-safe.
 *
 * <p>Messages have the pseudonyms of users, as audit rows do. {@link WebhookSender} replaces them.
 */
public final class EventRelay {
    /** Rows per transaction, which other writes of this instance wait for. */
    private static final int PAGE = 128;

    private final Sql sql;
    private final AuditStore audit;
    private final Webhooks webhooks;
    private final Outbox outbox;

    public EventRelay(Sql sql, Webhooks webhooks, Outbox outbox) {
        this.sql = sql;
        this.audit = new AuditStore(sql);
        this.webhooks = webhooks;
        this.outbox = outbox;
    }

    /** Writes messages until no endpoint is behind, or all that are have too many messages waiting. */
    void run() {
        boolean more = webhooks.exist();
        while (more) {
            more = false;
            for (Behind behind : EventCursors.behind(sql)) {
                more |= relay(behind);
            }
        }
    }

    /** Returns whether there may be more. */
    private boolean relay(Behind behind) {
        Webhook webhook = webhooks.find(behind.webhookId());
        long room = webhook == null ? 0 : Outbox.MAX_PENDING - outbox.pending(Kind.WEBHOOK, webhook.id());
        if (webhook == null || room <= 0) {
            return false;
        }
        List<AuditEntry> rows = audit.following(behind.chain(), behind.after(), (int) Math.min(PAGE, room));
        long last = rows.isEmpty()
                ? behind.head() // the rows were removed because of their age
                : rows.get(rows.size() - 1).cursor().seq();
        return sql.transaction("relay events", connection -> {
            if (!EventCursors.advance(connection, behind, last)) {
                return false;
            }
            for (AuditEntry row : rows) {
                add(connection, webhook, row);
            }
            return last < behind.head();
        });
    }

    private void add(Connection connection, Webhook webhook, AuditEntry row) throws SQLException {
        String type = EventType.of(row);
        boolean old = row.at() < outbox.now() - Outbox.TRIED.toMillis();
        // The erasure wrote its own messages, since the row no longer leads to the user.
        if (type != null && !old && !type.equals(EventType.USER_ERASED) && EventType.matches(webhook.events(), type)) {
            var cursor = row.cursor();
            String place = webhook.id() + ' ' + cursor.chain() + ' ' + cursor.seq();
            String id = "msg_" + Bytes.ofUtf8(place).sha256().slice(0, 16).base64Url();
            outbox.add(connection, id, Kind.WEBHOOK, webhook.id(), "", type, payload(type, row.at(), row::write));
        }
    }

    /** Adds the messages about an erasure, within its transaction. They name the user until they are delivered. */
    public void userErased(Connection connection, String userId, Actor by) throws SQLException {
        var event = AuditEvent.of(AuditAction.USER_ERASED, userId).by(by.label(), by.correlationId());
        long now = outbox.now();
        var row = new AuditEntry(now, event, new AuditEntry.Cursor(now, "", 0));
        for (Webhook webhook : webhooks.all(connection)) {
            if (webhook.enabled() && EventType.matches(webhook.events(), EventType.USER_ERASED)) {
                String payload = payload(EventType.USER_ERASED, now, row::write);
                outbox.add(
                        connection,
                        outbox.newId("msg_"),
                        Kind.WEBHOOK,
                        webhook.id(),
                        "",
                        EventType.USER_ERASED,
                        payload);
            }
        }
    }

    /** A message in the form of the Standard Webhooks convention. */
    static String payload(String type, long at, Consumer<JsonWriter> data) {
        return JsonWriter.object(json -> json.text("type", type)
                .text("timestamp", Instant.ofEpochMilli(at).toString())
                .object("data", data));
    }
}
