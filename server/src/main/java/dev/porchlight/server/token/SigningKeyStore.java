// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import dev.porchlight.base.sql.Sql;
import java.util.List;

/** Signing keys in the table {@code porchlight_signing_key}. Thread-safe. */
final class SigningKeyStore {
    private static final String ADD = "INSERT INTO porchlight_signing_key (kid, created_at, sealed) VALUES (?, ?, ?)";

    private final Sql sql;

    SigningKeyStore(Sql sql) {
        this.sql = sql;
    }

    /**
     * A row of the table.
     *
     * @param kid the key's name in token headers and the JWKS
     * @param createdAt in milliseconds since 1970; the newest key signs
     * @param sealed the private JWK, sealed under a key derived from the session secret
     */
    record Row(String kid, long createdAt, String sealed) {}

    /** All keys, oldest first. */
    List<Row> all() {
        return sql.query(
                "SELECT kid, created_at, sealed FROM porchlight_signing_key ORDER BY created_at, kid",
                row -> new Row(row.getString(1), row.getLong(2), row.getString(3)));
    }

    void add(Row key) {
        sql.update(ADD, key.kid(), key.createdAt(), key.sealed());
    }

    /** Replaces what a key is sealed as. */
    void reseal(String kid, String sealed) {
        sql.update("UPDATE porchlight_signing_key SET sealed = ? WHERE kid = ?", sealed, kid);
    }

    void remove(String kid) {
        sql.update("DELETE FROM porchlight_signing_key WHERE kid = ?", kid);
    }

    /** Adds a key and removes all others, in one transaction. */
    void replaceAll(Row key) {
        sql.transaction("revoke signing keys", connection -> {
            Sql.update(connection, "DELETE FROM porchlight_signing_key");
            return Sql.update(connection, ADD, key.kid(), key.createdAt(), key.sealed());
        });
    }

    boolean contains(String kid) {
        return !sql.query("SELECT 1 FROM porchlight_signing_key WHERE kid = ?", row -> row.getInt(1), kid)
                .isEmpty();
    }
}
