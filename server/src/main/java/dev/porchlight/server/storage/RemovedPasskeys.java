// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Passkeys that were removed, as keyed hashes of their ids, in the table {@code porchlight_removed_passkey}. An import does not
 * bring them back. Thread-safe.
 */
public final class RemovedPasskeys {
    private static final String ADD =
            "INSERT INTO porchlight_removed_passkey (credential_hash, removed_at) VALUES (?, ?)"
                    + " ON CONFLICT (credential_hash) DO UPDATE SET removed_at = excluded.removed_at";
    private static final String FIND =
            "SELECT credential_hash, removed_at FROM porchlight_removed_passkey WHERE credential_hash";
    private static final String FORGET = "DELETE FROM porchlight_removed_passkey WHERE credential_hash = ?";

    private final KeyedHash hashing;

    public RemovedPasskeys(byte[] key) {
        this.hashing = new KeyedHash(key);
    }

    /** Records that a passkey was removed, within the transaction that removes it. */
    public void add(Connection connection, String credentialId, long now) throws SQLException {
        Sql.update(connection, ADD, hashing.base64Of(credentialId), now);
    }

    /** When those of these passkeys were removed that were, in milliseconds since 1970, by credential id. */
    public Map<String, Long> find(Connection connection, Collection<String> credentialIds) throws SQLException {
        return times(connection, FIND, credentialIds, hashing::base64Of);
    }

    /** Allows to import a passkey again. */
    public void forget(Connection connection, String credentialId) throws SQLException {
        Sql.update(connection, FORGET, hashing.base64Of(credentialId));
    }

    /**
     * The times of those of these ids whose hash is in a table, by id.
     *
     * @param select selects hash and time by hash; the list of hashes follows
     */
    static Map<String, Long> times(
            Connection connection, String select, Collection<String> ids, UnaryOperator<String> hash)
            throws SQLException {
        String marks = Sql.marks(ids.size());
        Object[] hashes = ids.stream().map(hash).toArray();
        Map<String, Long> times = new HashMap<>();
        for (var row : Sql.query(
                connection,
                select + " IN (" + marks + ")",
                row -> Map.entry(row.getString(1), row.getLong(2)),
                hashes)) {
            times.put(row.getKey(), row.getValue());
        }
        return ids.stream()
                .filter(id -> times.containsKey(hash.apply(id)))
                .collect(Collectors.toMap(Function.identity(), id -> times.get(hash.apply(id))));
    }
}
