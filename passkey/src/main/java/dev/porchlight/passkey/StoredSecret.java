// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Secrets in the table {@code passkey_secret}: 32 random bytes each, created by the first instance that needs them and then
 * the same for every instance on that database. To replace a secret, delete its row and restart all instances.
 */
final class StoredSecret {
    private static final String READ = "SELECT secret FROM passkey_secret WHERE name = ?";
    private static final SqlDialect.Statement CREATE =
            SqlDialect.Statement.insertIfAbsent("INSERT INTO passkey_secret (name, secret) VALUES (?, ?)", "name");
    private static final int BYTES = 32;

    private StoredSecret() {}

    /**
     * Returns the secret with this name, and creates it if it is missing. Concurrent callers get the same secret.
     *
     * @throws StorageException if the database fails, or the row does not hold a secret
     */
    static byte[] read(Sql sql, String name, SecureRandom random) {
        String known = find(sql, name);
        if (known == null) {
            sql.insertIfAbsent(CREATE, name, Bytes.random(random, BYTES).base64Url());
            known = find(sql, name);
        }
        return decoded(name, known);
    }

    private static @Nullable String find(Sql sql, String name) {
        List<String> rows = sql.query(READ, row -> row.getString(1), name);
        return Sql.first(rows);
    }

    private static byte[] decoded(String name, @Nullable String text) {
        try {
            byte[] secret = text == null ? new byte[0] : Base64.getUrlDecoder().decode(text);
            if (secret.length >= BYTES) {
                return secret;
            }
        } catch (IllegalArgumentException e) {
            // handled like a secret that is too short; the text must not appear in the message
        }
        throw new StorageException("the row '" + name + "' of passkey_secret does not hold " + BYTES
                + " bytes in base64url: delete it and restart all instances");
    }
}
