// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.security.SecureRandom;
import java.util.Base64;
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
    private final SecretRotation secrets;
    private final Sealer sealer;

    public StableKeys(Sql sql, SecretRotation secrets, SecureRandom random) {
        this.sql = sql;
        this.secrets = secrets;
        sealer = new Sealer(secrets.forPurpose("seal lasting keys"), random);
    }

    /** The key of the audit chain. */
    public byte[] auditChain() {
        return forPurpose("audit chain");
    }

    /** The key of the pseudonyms in logs. */
    public byte[] logPseudonyms() {
        return forPurpose("log pseudonyms");
    }

    /** The key that decoys are derived from, which must not change. */
    public byte[] decoys() {
        return forPurpose("decoy credentials");
    }

    /** The key that user handles of new users are derived from. */
    public byte[] userHandles() {
        return forPurpose("user handles");
    }

    /** The key of the hashes that keep the names of erased users taken. */
    public byte[] erasedNames() {
        return forPurpose("erased names");
    }

    /** The key of the fingerprints of admin tokens. */
    public byte[] operatorLabels() {
        return forPurpose("operator labels");
    }

    /** The key of the hashes that find stored refusals. */
    public byte[] refusalIndex() {
        return forPurpose("refusal index");
    }

    /** The key that encrypts stored refusals. */
    public byte[] refusalContents() {
        return forPurpose("refusal contents");
    }

    private byte[] forPurpose(String purpose) {
        String sealed = read(purpose);
        if (sealed == null) {
            byte[] first = secrets.current().forPurpose(purpose);
            write(CREATE, purpose, sealer.seal(Base64.getEncoder().encodeToString(first), purpose));
            sealed = read(purpose);
        }
        String content = sealed == null ? null : sealer.open(sealed, purpose);
        if (sealed == null || content == null) {
            return secrets.current().forPurpose(purpose); // the secret is wrong; signing keys do not open either
        }
        String resealed = sealer.resealed(sealed, purpose);
        if (resealed != null) {
            write(RESEAL, resealed, purpose);
        }
        return Base64.getDecoder().decode(content);
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
