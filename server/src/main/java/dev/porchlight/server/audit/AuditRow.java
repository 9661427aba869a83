// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import java.util.List;
import java.util.function.Function;

/**
 * A row of the audit table: an event, its position in a chain, and the keyed hash over it and the previous row.
 *
 * @param chain one run of one instance; instances do not wait for each other
 * @param seq the position in the chain, from 0 without gaps
 * @param at in milliseconds since 1970
 * @param event the event, with the pseudonym of its user
 * @param follows in the first row of a chain, the hash of the newest row of the other chains; otherwise empty
 */
record AuditRow(String chain, long seq, long at, AuditEvent event, String follows, String hash) {
    /** The columns, in the order in which they are hashed and stored. */
    static final List<Column> COLUMNS = List.of(
            new Column("chain", "text", AuditRow::chain),
            new Column("seq", "bigint", AuditRow::seq),
            new Column("at", "bigint", AuditRow::at),
            new Column("action", "text", row -> row.event().action()),
            new Column("subject", "text", row -> row.event().userId()),
            new Column("outcome", "text", row -> row.event().outcome()),
            new Column("reason", "text", row -> row.event().reason()),
            new Column("operator", "text", row -> row.event().operator()),
            new Column("client_id", "text", row -> row.event().clientId()),
            new Column("group_name", "text", row -> row.event().groupName()),
            new Column("changed", "text", row -> row.event().changed()),
            new Column("further", "bigint", row -> row.event().further()),
            new Column("correlation_id", "text", row -> row.event().correlationId()),
            new Column("follows", "text", AuditRow::follows),
            new Column("hash", "text", AuditRow::hash));

    record Column(String name, String type, Function<AuditRow, Object> value) {}

    static AuditRow after(
            String previousHash, String chain, long seq, long at, AuditEvent event, String follows, KeyedHash hashing) {
        var row = new AuditRow(chain, seq, at, event, follows, "");
        return new AuditRow(chain, seq, at, event, follows, row.hash(previousHash, hashing));
    }

    boolean follows(String previousHash, KeyedHash hashing) {
        return hash.equals(hash(previousHash, hashing));
    }

    private String hash(String previousHash, KeyedHash hashing) {
        String[] fields = new String[COLUMNS.size()];
        fields[0] = previousHash;
        for (int i = 1; i < fields.length; i++) { // all but the hash
            fields[i] = COLUMNS.get(i - 1).value().apply(this).toString();
        }
        return digest(hashing, fields);
    }

    /** Hashes the fields, each with a length prefix, so that no two rows have the same input. */
    static String digest(KeyedHash hashing, String... fields) {
        var text = new StringBuilder(512);
        for (String field : fields) {
            text.append(field.length()).append(':').append(field);
        }
        return hashing.base64Of(text.toString());
    }
}
