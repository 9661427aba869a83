// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.outbox.Delivery.Kind;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent, in the table {@code porchlight_outbox}. They are added in the transaction of the change that
 * causes them. Contents are encrypted, because they have addresses and links. Thread-safe.
 */
public final class Outbox {
    /** The maximum number of waiting messages per target. Further events wait in the audit log, and further mails are refused. */
    public static final int MAX_PENDING = 1_000;

    /** How many sent or failed messages are kept per target. */
    static final int MAX_FINISHED = 1_000;

    /** How long a message is tried. */
    public static final Duration TRIED = Duration.ofDays(3);

    private static final Duration KEPT = Duration.ofDays(7);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
    private static final Duration LAST_RETRY = Duration.ofMinutes(10);

    /** After this time, an attempt whose result is unknown is repeated. Longer than any attempt. */
    private static final Duration CLAIM = Duration.ofMinutes(2);

    private static final int MAX_ERROR = 300;
    private static final String READ = "delivery_id, kind, target, type, attempts, created_at, next_attempt_at,"
            + " delivered_at, last_error, sealed";
    private static final String ADD = "INSERT INTO porchlight_outbox (delivery_id, kind, target, owner, type, sealed,"
            + " attempts, created_at, next_attempt_at) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)"
            + " ON CONFLICT (delivery_id) DO NOTHING";
    private static final String DUE_TARGETS =
            "SELECT DISTINCT kind, target FROM porchlight_outbox WHERE next_attempt_at <= ?";
    private static final String DUE = "SELECT " + READ + " FROM porchlight_outbox WHERE kind = ? AND target = ?"
            + " AND next_attempt_at <= ? ORDER BY next_attempt_at, created_at, delivery_id LIMIT ?";
    private static final String CLAIMED = "UPDATE porchlight_outbox SET next_attempt_at = ?, attempts = attempts + 1"
            + " WHERE delivery_id = ? AND next_attempt_at = ?";
    /** Nothing remains of a mail, whose link is a secret, and of a user whose erasure was reported. */
    private static final String DELIVERED = "UPDATE porchlight_outbox SET delivered_at = ?, next_attempt_at = NULL,"
            + " last_error = NULL, sealed = CASE WHEN kind = 'mail' OR type = '" + EventType.USER_ERASED + "'"
            + " THEN '' ELSE sealed END"
            + " WHERE delivery_id = ?";

    private static final String FAILED =
            "UPDATE porchlight_outbox SET next_attempt_at = ?, last_error = ? WHERE delivery_id = ? AND delivered_at IS NULL";
    private static final String AGAIN = "UPDATE porchlight_outbox SET next_attempt_at = ?, delivered_at = NULL,"
            + " attempts = 0 WHERE delivery_id = ? AND kind = ? AND target = ? AND sealed <> ''";
    private static final String PAGE = "SELECT " + READ + " FROM porchlight_outbox WHERE kind = ? AND target = ?"
            + " AND (created_at, delivery_id) < (?, ?) AND ? IN ('', CASE WHEN next_attempt_at IS NOT NULL THEN 'pending'"
            + " WHEN delivered_at IS NOT NULL THEN 'delivered' ELSE 'failed' END)"
            + " ORDER BY created_at DESC, delivery_id DESC LIMIT ?";
    private static final String LAST_ERROR = "SELECT last_error FROM porchlight_outbox WHERE kind = ? AND target = ?"
            + " AND last_error IS NOT NULL ORDER BY created_at DESC LIMIT 1";
    private static final String PENDING =
            "SELECT COUNT(*) FROM porchlight_outbox WHERE kind = ? AND target = ? AND next_attempt_at IS NOT NULL";
    private static final String ONE = "SELECT " + READ + " FROM porchlight_outbox WHERE delivery_id = ?";
    private static final String OF_OWNER =
            "SELECT COUNT(*) FROM porchlight_outbox WHERE owner = ? AND next_attempt_at IS NOT NULL";
    private static final String ALL_PENDING =
            "SELECT kind, COUNT(*) FROM porchlight_outbox WHERE next_attempt_at IS NOT NULL GROUP BY kind";
    private static final String STUCK = "UPDATE porchlight_outbox SET next_attempt_at = NULL WHERE next_attempt_at < ?";
    private static final String OLD = "DELETE FROM porchlight_outbox WHERE created_at < ? AND next_attempt_at IS NULL";
    private static final String TARGETS =
            "SELECT kind, target FROM porchlight_outbox GROUP BY kind, target" + " HAVING COUNT(*) > " + MAX_FINISHED;
    private static final String TRIM = "DELETE FROM porchlight_outbox WHERE kind = ? AND target = ?"
            + " AND next_attempt_at IS NULL AND created_at < (SELECT created_at FROM porchlight_outbox WHERE kind = ?"
            + " AND target = ? AND next_attempt_at IS NULL ORDER BY created_at DESC LIMIT 1 OFFSET " + MAX_FINISHED
            + ")";

    private final Sql sql;
    private final Sealer sealer;
    private final KeyedHash owners;
    private final InstantSource clock;
    private final SecureRandom random;

    /** Encrypts messages under keys that are derived from this one. */
    public Outbox(Sql sql, byte[] key, InstantSource clock, SecureRandom random) {
        KeyedHash derived = new KeyedHash(key);
        this.sql = sql;
        this.sealer = new Sealer(List.of(derived.of("contents".getBytes(UTF_8))), random);
        this.owners = new KeyedHash(derived.of("owners".getBytes(UTF_8)));
        this.clock = clock;
        this.random = random;
    }

    /** Where a message goes. */
    record Target(Kind kind, String name) {}

    /** A message of which this process makes the next attempt. */
    record Claimed(Delivery delivery, @Nullable String payload) {}

    public long now() {
        return clock.millis();
    }

    Sealer sealer() {
        return sealer;
    }

    /** A new id of a message or an endpoint, with its prefix. */
    public String newId(String prefix) {
        return prefix + Bytes.random(random, 16).base64Url();
    }

    /**
     * Adds a message, within a transaction of the caller, unless it exists already.
     *
     * @param userId the user whose erasure removes it; empty for none
     */
    public void add(
            Connection connection, String id, Kind kind, String target, String userId, String type, String payload)
            throws SQLException {
        long now = clock.millis();
        String owner = userId.isEmpty() ? "" : owners.base64Of(userId);
        String sealed = sealer.seal(payload, place(id, target));
        Sql.update(connection, ADD, id, kind.code(), target, owner, type, sealed, now, now);
    }

    private static String place(String id, String target) {
        return "message " + id + ' ' + target;
    }

    /** Removes the messages about a user, within the transaction of the erasure. */
    public void eraseUser(Connection connection, String userId) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_outbox WHERE owner = ?", owners.base64Of(userId));
    }

    /** Removes the messages to a target, within a transaction of the caller. */
    static void removeTarget(Connection connection, String target) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_outbox WHERE kind = 'webhook' AND target = ?", target);
    }

    /** The targets with messages whose time has come. */
    List<Target> dueTargets() {
        return sql.query(DUE_TARGETS, row -> new Target(kind(row), row.getString(2)), clock.millis());
    }

    /** Claims messages whose time has come, so that no other process sends them now. */
    List<Claimed> claim(Target target, int limit) {
        long now = clock.millis();
        long until = now + CLAIM.toMillis();
        List<Claimed> due = sql.query(DUE, this::readClaimed, target.kind().code(), target.name(), now, limit);
        return due.isEmpty()
                ? due
                : sql.transaction("claim messages", connection -> {
                    List<Claimed> claimed = new ArrayList<>();
                    for (Claimed one : due) {
                        Delivery delivery = one.delivery();
                        if (Sql.update(connection, CLAIMED, until, delivery.id(), delivery.nextAttemptAt()) == 1) {
                            claimed.add(one);
                        }
                    }
                    return claimed;
                });
    }

    void delivered(Delivery delivery) {
        sql.update(DELIVERED, clock.millis(), delivery.id());
    }

    /** Records a failed attempt, and when the next one is due; false if there is none. */
    boolean failed(Delivery delivery, Channel.Result result) {
        long now = clock.millis();
        boolean again = !result.permanent() && now - delivery.createdAt() < TRIED.toMillis();
        String text = DisplayText.of(result.error());
        String error = text.substring(0, Math.min(text.length(), MAX_ERROR));
        sql.update(FAILED, again ? now + delay(delivery.attempts()) : null, error, delivery.id());
        return again;
    }

    /** Three times as long after each attempt, and up to a quarter more, so that messages do not fail together again. */
    private long delay(long attempts) {
        long millis = FIRST_RETRY.toMillis();
        for (int i = 0; i < attempts && millis < LAST_RETRY.toMillis(); i++) {
            millis *= 3;
        }
        long most = Math.min(millis, LAST_RETRY.toMillis());
        return most + random.nextLong(most / 4);
    }

    /** Sends a message again, within a transaction of the caller; false if it does not exist. */
    boolean redeliver(Connection connection, Kind kind, String target, String id) throws SQLException {
        return Sql.update(connection, AGAIN, clock.millis(), id, kind.code(), target) == 1;
    }

    /**
     * A page of messages to a target, the newest first.
     *
     * @param state only of messages in this {@link Delivery#state}; empty for all
     */
    public List<Delivery> list(Kind kind, String target, String state, Delivery.@Nullable Cursor after, int limit) {
        Delivery.Cursor from = after == null ? new Delivery.Cursor(Long.MAX_VALUE, "") : after;
        return sql.query(PAGE, Outbox::read, kind.code(), target, from.createdAt(), from.id(), state, limit);
    }

    /** The error of the newest message to a target that was not delivered, or null. */
    public @Nullable String lastError(Kind kind, String target) {
        return Sql.first(sql.query(LAST_ERROR, row -> row.getString(1), kind.code(), target));
    }

    /** The number of messages that wait for a target. */
    public long pending(Kind kind, String target) {
        return sql.query(PENDING, row -> row.getLong(1), kind.code(), target).get(0);
    }

    /** The same as a transaction sees it. */
    public long pending(Connection connection, Kind kind, String target) throws SQLException {
        return Sql.query(connection, PENDING, row -> row.getLong(1), kind.code(), target)
                .get(0);
    }

    /** The number of messages that wait for a user, as a transaction sees it. */
    public long pending(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, OF_OWNER, row -> row.getLong(1), owners.base64Of(userId))
                .get(0);
    }

    /** The content of a message; null if it was deleted after the delivery, or cannot be decrypted. */
    public @Nullable String content(Delivery delivery) {
        List<Claimed> found = sql.query(ONE, this::readClaimed, delivery.id());
        return found.isEmpty() ? null : found.get(0).payload();
    }

    /** The number of waiting messages of a kind. */
    long pending(Kind kind) {
        return sql.query(ALL_PENDING, row -> kind(row) == kind ? row.getLong(2) : 0L).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Gives up messages that could not be tried for days, and removes old ones. */
    void sweep() {
        long now = clock.millis();
        sql.update(STUCK, now - TRIED.toMillis());
        sql.update(OLD, now - KEPT.toMillis());
        for (Target target : sql.query(TARGETS, row -> new Target(kind(row), row.getString(2)))) {
            String kind = target.kind().code();
            sql.update(TRIM, kind, target.name(), kind, target.name());
        }
    }

    private Claimed readClaimed(ResultSet row) throws SQLException {
        Delivery read = read(row);
        return new Claimed(read, sealer.open(row.getString("sealed"), place(read.id(), read.target())));
    }

    private static Kind kind(ResultSet row) throws SQLException {
        return Kind.MAIL.code().equals(row.getString("kind")) ? Kind.MAIL : Kind.WEBHOOK;
    }

    private static Delivery read(ResultSet row) throws SQLException {
        return new Delivery(
                row.getString("delivery_id"),
                kind(row),
                row.getString("target"),
                row.getString("type"),
                row.getLong("attempts"),
                row.getLong("created_at"),
                time(row, "next_attempt_at"),
                time(row, "delivered_at"),
                row.getString("last_error"));
    }

    private static @Nullable Long time(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : millis;
    }
}
