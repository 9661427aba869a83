// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** The next rows of a chain and its head, to be written together. For one thread. */
public final class AuditRows {
    private static final String ON_POSTGRES = "INSERT INTO porchlight_audit (" + AuditStore.COLUMNS + ")"
            + " SELECT ?, * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[]);"
            + " " + AuditStore.MOVE + "; COMMIT";

    private final List<AuditRow> rows;
    private final KeyedHash hashing;

    AuditRows(List<AuditRow> rows, KeyedHash hashing) {
        this.rows = rows;
        this.hashing = hashing;
    }

    /** Whether there is nothing to write: all events were only counted. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether a new chain begins with them. */
    public boolean beginChain() {
        return !isEmpty() && rows.get(0).seq() == 0;
    }

    private AuditHead head() {
        return AuditHead.of(rows.get(rows.size() - 1), hashing);
    }

    /** Writes them. */
    public void write(Connection connection) throws SQLException {
        if (isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(AuditStore.APPEND)) {
            for (AuditRow row : rows) {
                insert.setString(1, row.chain());
                insert.setLong(2, row.seq());
                insert.setLong(3, row.at());
                insert.setString(4, row.event().action());
                insert.setString(5, row.event().userId());
                insert.setString(6, row.event().outcome());
                insert.setString(7, row.event().reason());
                insert.setString(8, row.event().correlationId());
                insert.setString(9, row.hash());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        AuditStore.writeHead(connection, head(), beginChain(), hashing);
    }

    /** Writes them, moves the head of a chain that was begun before, and commits: one round trip to PostgreSQL. */
    public void writeAndCommit(Connection connection) throws SQLException {
        AuditHead head = head();
        try (PreparedStatement statement = connection.prepareStatement(ON_POSTGRES)) {
            statement.setString(1, head.chain());
            array(connection, statement, 2, "bigint", AuditRow::seq);
            array(connection, statement, 3, "bigint", AuditRow::at);
            array(connection, statement, 4, "text", row -> row.event().action());
            array(connection, statement, 5, "text", row -> row.event().userId());
            array(connection, statement, 6, "text", row -> row.event().outcome());
            array(connection, statement, 7, "text", row -> row.event().reason());
            array(connection, statement, 8, "text", row -> row.event().correlationId());
            array(connection, statement, 9, "text", AuditRow::hash);
            statement.setLong(10, head.seq());
            statement.setString(11, head.hash());
            statement.setString(12, head.seal());
            statement.setString(13, head.chain());
            statement.execute();
        }
    }

    private void array(
            Connection connection,
            PreparedStatement statement,
            int index,
            String type,
            Function<AuditRow, Object> column)
            throws SQLException {
        statement.setArray(
                index, connection.createArrayOf(type, rows.stream().map(column).toArray()));
    }
}
