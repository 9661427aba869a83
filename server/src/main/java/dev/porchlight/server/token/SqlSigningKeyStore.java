// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import dev.porchlight.base.sql.Sql;
import java.util.List;

/** Signing keys in the table {@code porchlight_signing_key}. Thread-safe. */
public final class SqlSigningKeyStore implements SigningKeyStore {
    private static final String ADD = "INSERT INTO porchlight_signing_key (kid, created_at, sealed) VALUES (?, ?, ?)";

    private final Sql sql;

    public SqlSigningKeyStore(Sql sql) {
        this.sql = sql;
    }

    @Override
    public List<SigningKeyRow> all() {
        return sql.query(
                "SELECT kid, created_at, sealed FROM porchlight_signing_key ORDER BY created_at, kid",
                row -> new SigningKeyRow(row.getString(1), row.getLong(2), row.getString(3)));
    }

    @Override
    public void add(SigningKeyRow key) {
        sql.update(ADD, key.kid(), key.createdAt(), key.sealed());
    }

    @Override
    public void reseal(String kid, String sealed) {
        sql.update("UPDATE porchlight_signing_key SET sealed = ? WHERE kid = ?", sealed, kid);
    }

    @Override
    public void remove(String kid) {
        sql.update("DELETE FROM porchlight_signing_key WHERE kid = ?", kid);
    }

    @Override
    public void replaceAll(SigningKeyRow key) {
        sql.transaction("revoke signing keys", connection -> {
            Sql.update(connection, "DELETE FROM porchlight_signing_key");
            return Sql.update(connection, ADD, key.kid(), key.createdAt(), key.sealed());
        });
    }

    @Override
    public boolean contains(String kid) {
        return !sql.query("SELECT 1 FROM porchlight_signing_key WHERE kid = ?", row -> row.getInt(1), kid)
                .isEmpty();
    }
}
