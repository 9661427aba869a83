// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables {@code porchlight_audit}, {@code _head} and {@code _checkpoint}. Thread-safe. */
public final class AuditStore {
    static final String COLUMNS =
            AuditRow.COLUMNS.stream().map(AuditRow.Column::name).collect(Collectors.joining(", "));
    static final String INSERT = "INSERT INTO porchlight_audit (" + COLUMNS + ")";
    static final String APPEND = INSERT + " VALUES (?" + ", ?".repeat(AuditRow.COLUMNS.size() - 1) + ")";
    private static final String CHAINS = "SELECT chain FROM porchlight_audit GROUP BY chain ORDER BY MIN(at), chain";
    /** Starts from the heads, because the first row of a chain is found by its position. */
    private static final String REFERENCES = "SELECT a.follows FROM porchlight_audit_head h"
            + " JOIN porchlight_audit a ON a.chain = h.chain AND a.seq = 0 WHERE a.follows <> ''";

    private static final String ROWS_EVER =
            "SELECT COALESCE(SUM(seq + 1), 0) FROM porchlight_audit_head WHERE chain <> ''";
    private static final String NEWEST =
            "SELECT chain, seq, hash FROM porchlight_audit ORDER BY at DESC, seq DESC LIMIT 1";
    private static final String HASH = "SELECT hash FROM porchlight_audit WHERE chain = ? AND seq = ?";
    private static final String CHECKPOINTS =
            "SELECT chain, from_seq, to_seq, hash, seal FROM porchlight_audit_checkpoint WHERE chain = ?";
    private static final String WRITE_CHECKPOINT =
            "INSERT INTO porchlight_audit_checkpoint (chain, from_seq, to_seq, hash, seal) VALUES (?, ?, ?, ?, ?)"
                    + " ON CONFLICT (chain, from_seq) DO UPDATE"
                    + " SET to_seq = excluded.to_seq, hash = excluded.hash, seal = excluded.seal"
                    // another instance may have removed more rows
                    + " WHERE excluded.to_seq > porchlight_audit_checkpoint.to_seq";
    private static final String PAGE =
            "SELECT " + COLUMNS + " FROM porchlight_audit WHERE chain = ? AND seq > ? ORDER BY seq LIMIT ";
    private static final String ENTRIES = "SELECT " + COLUMNS + ", " + AuditSubjects.userOf("porchlight_audit.subject")
            + ", " + AuditSubjects.userOfLabel("porchlight_audit.operator") + " FROM porchlight_audit WHERE ";
    private static final String TAIL = ENTRIES + "chain = ? AND seq > ? ORDER BY seq LIMIT ?";
    private static final String OF_SUBJECT = "subject = ? AND ";
    /** With the condition of the partial index. */
    private static final String OF_OPERATOR = "operator = ? AND operator <> '' AND ";

    private static final String OF_ACTION = "action IN (?, ?) AND ";
    private static final String OF_USER = ENTRIES + OF_SUBJECT
            + "action IN (%s) AND outcome = 'ok' AND at <= ? ORDER BY at DESC, chain DESC, seq DESC LIMIT ?";
    private static final String BEFORE =
            "at >= ? AND at <= ? AND (at, chain, seq) < (?, ?, ?) ORDER BY at DESC, chain DESC, seq DESC LIMIT ?";
    /** As the partial index has it. */
    private static final String CLIENT_SIGN_INS = "action = 'client_authorize' AND outcome = 'ok'";

    static final String SIGN_INS_TO =
            ENTRIES + CLIENT_SIGN_INS + " AND client_id = ? AND at >= ? ORDER BY at DESC, chain DESC, seq DESC LIMIT ?";
    static final String LAST_SIGN_INS = "SELECT c.client_id, (SELECT MAX(a.at) FROM porchlight_audit AS a WHERE "
            + CLIENT_SIGN_INS
            + " AND a.client_id = c.client_id AND a.at >= c.created_at) FROM porchlight_client AS c";
    private static final String BEGIN =
            "INSERT INTO porchlight_audit_head (chain, seq, hash, seal) VALUES (?, ?, ?, ?)";
    static final String MOVE = "UPDATE porchlight_audit_head SET seq = ?, hash = ?, seal = ? WHERE chain = ?";
    private static final String COUNT = BEGIN
            + " ON CONFLICT (chain) DO UPDATE SET seq = porchlight_audit_head.seq + 1 RETURNING chain, seq, hash, seal";
    private static final String HEADS = "SELECT chain, seq, hash, seal FROM porchlight_audit_head";

    private final Sql sql;

    public AuditStore(Sql sql) {
        this.sql = sql;
    }

    static void writeHead(Connection connection, AuditHead head, boolean begins, KeyedHash hashing)
            throws SQLException {
        if (begins) {
            Sql.update(connection, BEGIN, head.chain(), head.seq(), head.hash(), head.seal());
            countChain(connection, hashing);
        } else {
            Sql.update(connection, MOVE, head.seq(), head.hash(), head.seal(), head.chain());
        }
    }

    /** Increments the count of chains. A manipulated count is never sealed again, so that verification finds it. */
    private static void countChain(Connection connection, KeyedHash hashing) throws SQLException {
        AuditHead first = AuditHead.of(AuditHead.ALL, 1, "", hashing);
        AuditHead counted = Objects.requireNonNull(Sql.first(
                Sql.query(connection, COUNT, AuditStore::readHead, first.chain(), first.seq(), "", first.seal())));
        if (counted.equals(first)) {
            return;
        }
        AuditHead previous = new AuditHead(counted.chain(), counted.seq() - 1, counted.hash(), counted.seal());
        AuditHead next = AuditHead.of(AuditHead.ALL, counted.seq(), "", hashing);
        Sql.update(
                connection, MOVE, next.seq(), "", previous.isGenuine(hashing) ? next.seal() : "broken", next.chain());
    }

    static AuditAnchor.@Nullable Head newest(Connection connection) throws SQLException {
        return Sql.first(Sql.query(connection, NEWEST, AuditStore::readPlace));
    }

    List<String> chains() {
        return sql.query(CHAINS, row -> row.getString(1));
    }

    /** The hashes that chains refer to in their first row. */
    List<String> references() {
        return sql.query(REFERENCES, row -> row.getString(1));
    }

    /** The next rows of a chain, at most a thousand. */
    List<AuditRow> after(String chain, long seq) {
        return sql.query(PAGE + 1_000, AuditStore::read, chain, seq);
    }

    /** Rows of a chain after a position, in order, with the pseudonyms of users. */
    public List<AuditEntry> following(String chain, long seq, int limit) {
        return sql.query(PAGE + limit, AuditStore::pseudonymous, chain, seq);
    }

    /** The same with the ids of users and operators. */
    List<AuditEntry> tail(String chain, long seq, int limit) {
        return sql.query(TAIL, AuditStore::entry, chain, seq, limit);
    }

    private static AuditEntry pseudonymous(ResultSet found) throws SQLException {
        AuditRow row = read(found);
        AuditEvent event = row.event();
        return new AuditEntry(
                row.at(),
                event.withUser(AuditSubjects.shown(event.userId(), null)),
                new AuditEntry.Cursor(row.at(), row.chain(), row.seq()));
    }

    /** Rows for operators, newest first. */
    public List<AuditEntry> entries(AuditEntry.Query query, int limit) {
        String user = query.userId();
        String operator = query.operator();
        List<String> subjects = user == null ? List.of("") : AuditSubjects.find(sql, user);
        List<String> labels = operator == null ? List.of("") : AuditSubjects.findLabels(sql, operator);
        return subjects.stream()
                .flatMap(subject -> labels.stream().flatMap(label -> page(subject, label, query, limit).stream()))
                .sorted(Comparator.comparing(AuditEntry::cursor).reversed())
                .limit(limit)
                .toList();
    }

    /** The rows of a page with one pseudonym and one label. An empty one stands for all. */
    private List<AuditEntry> page(String subject, String label, AuditEntry.Query query, int limit) {
        long end = query.until() == Long.MAX_VALUE ? Long.MAX_VALUE : query.until() + 1;
        AuditEntry.Cursor last = new AuditEntry.Cursor(end, "", 0);
        AuditEntry.Cursor from = query.after() == null || query.after().compareTo(last) > 0 ? last : query.after();
        StringBuilder statement = new StringBuilder(ENTRIES);
        List<Object> parameters = new ArrayList<>();
        if (!subject.isEmpty()) {
            statement.append(OF_SUBJECT);
            parameters.add(subject);
        }
        if (!label.isEmpty()) {
            statement.append(OF_OPERATOR);
            parameters.add(label);
        }
        AuditAction action = query.action();
        if (action != null) {
            statement.append(OF_ACTION);
            parameters.addAll(List.of(action.code(), action.code() + AuditEvent.SUMMARY));
        }
        parameters.addAll(List.of(query.since(), from.at(), from.at(), from.chain(), from.seq(), limit));
        return sql.query(statement.append(BEFORE).toString(), AuditStore::entry, parameters.toArray());
    }

    /** The rows about a user with one of these actions, until a time, newest first. */
    public List<AuditEntry> ofUser(String userId, List<AuditAction> actions, long until, int limit) {
        String codes = actions.stream().map(AuditAction::code).collect(Collectors.joining("', '", "'", "'"));
        return AuditSubjects.find(sql, userId).stream()
                .flatMap(subject ->
                        sql.query(OF_USER.formatted(codes), AuditStore::entry, subject, until, limit).stream())
                .sorted(Comparator.comparing(AuditEntry::cursor).reversed())
                .limit(limit)
                .toList();
    }

    /** The successful sign-ins to an OpenID Connect client since a time, newest first. */
    public List<AuditEntry> signInsTo(String clientId, long since, int limit) {
        return sql.query(SIGN_INS_TO, AuditStore::entry, clientId, since, limit);
    }

    /** The time of the last sign-in to each OpenID Connect client that has any. */
    public Map<String, Long> lastSignIns() {
        Map<String, Long> times = new HashMap<>();
        sql.query(LAST_SIGN_INS, row -> new Last(row.getString(1), row.getLong(2))).stream()
                .filter(last -> last.at() > 0)
                .forEach(last -> times.put(last.clientId(), last.at()));
        return times;
    }

    private record Last(String clientId, long at) {}

    /** Reads a row of {@link #ENTRIES}, with the ids of user and operator if they are known and not erased. */
    private static AuditEntry entry(ResultSet found) throws SQLException {
        AuditRow row = read(found);
        AuditEvent event = row.event();
        String user = AuditSubjects.shown(event.userId(), found.getString(AuditRow.COLUMNS.size() + 1));
        String operator = AuditSubjects.shownLabel(event.operator(), found.getString(AuditRow.COLUMNS.size() + 2));
        var cursor = new AuditEntry.Cursor(row.at(), row.chain(), row.seq());
        return new AuditEntry(row.at(), event.withUser(user).withOperator(operator), cursor);
    }

    /** The heads of all chains, and their count. */
    List<AuditHead> heads() {
        return sql.query(HEADS, AuditStore::readHead);
    }

    @Nullable
    AuditHead head(String chain) {
        return Sql.first(sql.query(HEADS + " WHERE chain = ?", AuditStore::readHead, chain));
    }

    /** The number of rows ever written to all chains, including removed ones. */
    long rowsEverWritten() {
        return sql.query(ROWS_EVER, row -> row.getLong(1)).get(0);
    }

    AuditAnchor.@Nullable Head newest() {
        return Sql.first(sql.query(NEWEST, AuditStore::readPlace));
    }

    @Nullable
    String hashOf(String chain, long seq) {
        return Sql.first(sql.query(HASH, row -> row.getString(1), chain, seq));
    }

    List<AuditCheckpoint> checkpoints(String chain) {
        return sql.query(CHECKPOINTS + " ORDER BY from_seq", AuditStore::readCheckpoint, chain);
    }

    /** The checkpoint that ends just before this position, or null, within a transaction of the caller. */
    static @Nullable AuditCheckpoint checkpointBefore(Connection connection, String chain, long from)
            throws SQLException {
        return Sql.first(
                Sql.query(connection, CHECKPOINTS + " AND to_seq = ?", AuditStore::readCheckpoint, chain, from - 1));
    }

    static void writeCheckpoint(Connection connection, AuditCheckpoint checkpoint) throws SQLException {
        Sql.update(
                connection,
                WRITE_CHECKPOINT,
                checkpoint.chain(),
                checkpoint.from(),
                checkpoint.to(),
                checkpoint.hash(),
                checkpoint.seal());
    }

    private static AuditCheckpoint readCheckpoint(ResultSet row) throws SQLException {
        return new AuditCheckpoint(
                row.getString(1), row.getLong(2), row.getLong(3), row.getString(4), row.getString(5));
    }

    static AuditAnchor.Head readPlace(ResultSet row) throws SQLException {
        return new AuditAnchor.Head(row.getString(1), row.getLong(2), row.getString(3));
    }

    private static AuditHead readHead(ResultSet row) throws SQLException {
        return new AuditHead(row.getString(1), row.getLong(2), row.getString(3), row.getString(4));
    }

    static AuditRow read(ResultSet row) throws SQLException {
        var event = new AuditEvent(
                row.getString("action"),
                row.getString("subject"),
                row.getString("outcome"),
                row.getString("reason"),
                row.getString("operator"),
                row.getString("client_id"),
                row.getString("group_name"),
                row.getString("changed"),
                row.getLong("further"),
                row.getString("correlation_id"));
        return new AuditRow(
                row.getString("chain"),
                row.getLong("seq"),
                row.getLong("at"),
                event,
                row.getString("follows"),
                row.getString("hash"));
    }
}
