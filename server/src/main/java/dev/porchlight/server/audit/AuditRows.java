// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The next rows of a chain and its head, written together. Not thread-safe. */
public final class AuditRows {
    /** Those after the chain, which all rows share. */
    private static final List<AuditRow.Column> COLUMNS = AuditRow.COLUMNS.subList(1, AuditRow.COLUMNS.size());

    private static final String ON_POSTGRES = AuditStore.INSERT
            + " SELECT ?, * FROM unnest("
            + COLUMNS.stream().map(column -> "?::" + column.type() + "[]").collect(Collectors.joining(", "))
            + "); " + AuditStore.MOVE + "; COMMIT";

    private final List<AuditRow> rows;
    private final KeyedHash hashing;

    AuditRows(List<AuditRow> rows, KeyedHash hashing) {
        this.rows = rows;
        this.hashing = hashing;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public boolean beginChain() {
        return !isEmpty() && rows.get(0).seq() == 0;
    }

    private AuditHead head() {
        AuditRow newest = rows.get(rows.size() - 1);
        return AuditHead.of(newest.chain(), newest.seq(), newest.hash(), hashing);
    }

    public void write(Connection connection) throws SQLException {
        if (isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(AuditStore.APPEND)) {
            for (AuditRow row : rows) {
                insert.setString(1, row.chain());
                for (int i = 0; i < COLUMNS.size(); i++) {
                    insert.setObject(i + 2, COLUMNS.get(i).value().apply(row));
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        AuditStore.writeHead(connection, head(), beginChain(), hashing);
    }

    /** Writes the rows, updates the head of an existing chain and commits, in one round trip to PostgreSQL. */
    public void writeAndCommit(Connection connection) throws SQLException {
        AuditHead head = head();
        try (PreparedStatement statement = connection.prepareStatement(ON_POSTGRES)) {
            statement.setString(1, head.chain());
            for (int i = 0; i < COLUMNS.size(); i++) {
                AuditRow.Column column = COLUMNS.get(i);
                Object[] values = rows.stream().map(column.value()).toArray();
                statement.setArray(i + 2, connection.createArrayOf(column.type(), values));
            }
            int next = COLUMNS.size() + 2;
            statement.setLong(next, head.seq());
            statement.setString(next + 1, head.hash());
            statement.setString(next + 2, head.seal());
            statement.setString(next + 3, head.chain());
            statement.execute();
        }
    }
}
