// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.passkey.store.Sql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code porchlight_audit}. Thread-safe. */
public final class AuditStore {
    private static final String COLUMNS = "chain, seq, at, action, user_id, outcome, reason, correlation_id, hash";
    private static final String APPEND =
            "INSERT INTO porchlight_audit (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String NEWEST_HASH = "SELECT hash FROM porchlight_audit ORDER BY at DESC, seq DESC LIMIT 1";
    private static final String CHAINS = "SELECT chain FROM porchlight_audit GROUP BY chain ORDER BY MIN(at), chain";
    private static final String REFERENCES =
            "SELECT reason FROM porchlight_audit WHERE action = '" + AuditLog.STARTED + "' AND reason <> ''";
    private static final String PAGE =
            "SELECT " + COLUMNS + " FROM porchlight_audit WHERE chain = ? AND seq > ? ORDER BY seq LIMIT 1000";

    private final Sql sql;

    public AuditStore(Sql sql) {
        this.sql = sql;
    }

    /** Appends all rows or none. */
    void append(List<AuditRow> rows) {
        sql.transaction("append audit rows", connection -> {
            try (PreparedStatement insert = connection.prepareStatement(APPEND)) {
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
                return insert.executeBatch();
            }
        });
    }

    @Nullable
    String newestHash() {
        return Sql.first(sql.query(NEWEST_HASH, row -> row.getString(1)));
    }

    List<String> chains() {
        return sql.query(CHAINS, row -> row.getString(1));
    }

    /** The hashes that chains begin with. */
    List<String> references() {
        return sql.query(REFERENCES, row -> row.getString(1));
    }

    /** The next rows of a chain, at most a thousand, so that verifying a long log needs little memory. */
    List<AuditRow> after(String chain, long seq) {
        return sql.query(PAGE, AuditStore::read, chain, seq);
    }

    private static AuditRow read(ResultSet row) throws SQLException {
        var event = new AuditEvent(
                row.getString(4), row.getString(5), row.getString(6), row.getString(7), row.getString(8));
        return new AuditRow(row.getString(1), row.getLong(2), row.getLong(3), event, row.getString(9));
    }
}
