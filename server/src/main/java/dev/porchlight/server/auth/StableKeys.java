// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.crypto.Sealer;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keys that do not change when the secret is rotated, because data written with them must stay readable for years. Each is
 * derived from the first secret and stored in the table {@code porchlight_stable_key}, sealed under the current secret. Thread-safe.
 */
public final class StableKeys {
    private static final String READ = "SELECT sealed FROM porchlight_stable_key WHERE purpose = ?";
    private static final String CREATE =
            "INSERT INTO porchlight_stable_key (purpose, sealed) VALUES (?, ?) ON CONFLICT (purpose) DO NOTHING";
    private static final String RESEAL = "UPDATE porchlight_stable_key SET sealed = ? WHERE purpose = ?";

    private final Sql sql;
    private final DerivedKeys secrets;
    private final Sealer sealer;

    public StableKeys(Sql sql, DerivedKeys secrets, SecureRandom random) {
        this.sql = sql;
        this.secrets = secrets;
        sealer = new Sealer(secrets.allForPurpose("seal lasting keys"), random);
    }

    /** What a key is for. */
    public enum Purpose {
        AUDIT_CHAIN,
        /** The pseudonyms in logs. */
        LOG_PSEUDONYMS,
        /** Decoys are derived from it. */
        DECOY_CREDENTIALS,
        /** User handles of new users are derived from it. */
        USER_HANDLES,
        /** The hashes that keep the names of erased users taken. */
        ERASED_NAMES,
        /** The hashes that keep removed passkeys from being imported again. */
        REMOVED_PASSKEYS,
        /** The fingerprints of admin tokens. */
        OPERATOR_LABELS,
        /** The hashes of operators' named tokens. */
        API_TOKENS,
        /** The hashes of recovery codes. */
        RECOVERY_CODES,
        /** The hashes that find stored refusals. */
        REFUSAL_INDEX,
        /** Encrypts stored refusals. */
        REFUSAL_CONTENTS,
        /** Encrypts messages in the outbox, and the secrets of webhooks. */
        OUTBOX
    }

    public byte[] of(Purpose key) {
        String purpose = purpose(key);
        String sealed = read(purpose);
        if (sealed == null) {
            byte[] first = secrets.forPurpose(purpose);
            write(CREATE, purpose, sealer.seal(Base64.getEncoder().encodeToString(first), purpose));
            sealed = read(purpose);
        }
        String content = sealed == null ? null : sealer.open(sealed, purpose);
        if (sealed == null || content == null) {
            return secrets.forPurpose(purpose); // the secret is wrong; signing keys do not open either
        }
        String resealed = sealer.resealed(sealed, purpose);
        if (resealed != null) {
            write(RESEAL, resealed, purpose);
        }
        return Base64.getDecoder().decode(content);
    }

    /** Whether the keys in the database open with this secret. Without them, hashes that were stored before match nothing. */
    public boolean isReadable(Purpose key) {
        String purpose = purpose(key);
        String sealed = read(purpose);
        return sealed == null || sealer.open(sealed, purpose) != null;
    }

    private static String purpose(Purpose key) {
        return key.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Ignores a database that is read-only now: the next start writes again. */
    private void write(String statement, String first, String second) {
        try {
            sql.update(statement, first, second);
        } catch (StorageException e) {
            // readiness reports it
        }
    }

    private @Nullable String read(String purpose) {
        return Sql.first(sql.query(READ, row -> row.getString(1), purpose));
    }
}
