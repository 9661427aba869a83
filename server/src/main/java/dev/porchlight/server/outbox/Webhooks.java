// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.crypto.Sealer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The endpoints of webhooks, in the table {@code porchlight_webhook}. Thread-safe. */
public final class Webhooks {
    static final int MAX = 20;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
    private static final String COLUMNS = "webhook_id, url, events, enabled, created_at, sealed";
    private static final String ALL = "SELECT " + COLUMNS + " FROM porchlight_webhook ORDER BY created_at, webhook_id";
    private static final String FIND = "SELECT " + COLUMNS + " FROM porchlight_webhook WHERE webhook_id = ?";
    private static final String PUT = "INSERT INTO porchlight_webhook (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (webhook_id) DO UPDATE SET url = excluded.url, events = excluded.events,"
            + " enabled = excluded.enabled, sealed = excluded.sealed";
    /** An empty update, which locks the row. */
    private static final String HOLD = "UPDATE porchlight_webhook SET url = url WHERE webhook_id = ?";

    private final Sql sql;
    private final Sealer sealer;
    private volatile long lookedAt = Long.MIN_VALUE;
    private volatile boolean any;

    public Webhooks(Sql sql, Outbox outbox) {
        this.sql = sql;
        this.sealer = outbox.sealer();
    }

    /** All endpoints, the oldest first. */
    public List<Webhook> all() {
        return sql.query(ALL, this::read);
    }

    List<Webhook> all(Connection connection) throws SQLException {
        return Sql.query(connection, ALL, this::read);
    }

    public @Nullable Webhook find(String id) {
        return Sql.first(sql.query(FIND, this::read, id));
    }

    /** The same within a transaction of the caller, until whose end it is neither changed nor removed. */
    @Nullable
    Webhook hold(Connection connection, String id) throws SQLException {
        Sql.update(connection, HOLD, id);
        return Sql.first(Sql.query(connection, FIND, this::read, id));
    }

    /** Whether there is an endpoint, as known for some seconds. */
    boolean exist() {
        long now = System.nanoTime();
        if (lookedAt == Long.MIN_VALUE || now - lookedAt >= LOOK_AGAIN.toNanos()) {
            any = sql.exists("SELECT 1 FROM porchlight_webhook LIMIT 1");
            lookedAt = now;
        }
        return any;
    }

    /** Removes what remains of endpoints that do not exist. */
    void sweep() {
        EventCursors.sweep(sql);
    }

    /** Adds an endpoint, or replaces one that the caller {@linkplain #hold holds}, within a transaction of the caller. */
    void put(Connection connection, Webhook webhook) throws SQLException {
        Sql.update(
                connection,
                PUT,
                webhook.id(),
                webhook.url(),
                String.join(",", webhook.events()),
                webhook.enabled() ? 1 : 0,
                webhook.createdAt(),
                sealer.seal(webhook.secrets().toJson(), place(webhook.id())));
        lookedAt = Long.MIN_VALUE;
    }

    /** Removes an endpoint, within a transaction of the caller; false if there is none. */
    static boolean remove(Connection connection, String id) throws SQLException {
        return Sql.update(connection, "DELETE FROM porchlight_webhook WHERE webhook_id = ?", id) == 1;
    }

    private static String place(String id) {
        return "webhook " + id;
    }

    private Webhook read(ResultSet row) throws SQLException {
        String id = row.getString("webhook_id");
        String secrets = sealer.open(row.getString("sealed"), place(id));
        try {
            return new Webhook(
                    id,
                    row.getString("url"),
                    List.of(row.getString("events").split(",", -1)),
                    row.getInt("enabled") == 1,
                    row.getLong("created_at"),
                    secrets == null ? Webhook.Secrets.UNREADABLE : Webhook.Secrets.parse(secrets));
        } catch (MalformedException e) {
            throw new StorageException("the secret of the webhook " + id + " cannot be read", e);
        }
    }
}
