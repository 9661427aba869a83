// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Keys that do not change when the secret is rotated, because data written with them must stay readable for years. Each is
 * derived from the first secret and stored in the table {@code passkey_secret}, sealed under the current secret. Thread-safe.
 */
public final class StableKeys {
    private static final String READ = "SELECT secret FROM passkey_secret WHERE name = ?";
    private static final String CREATE =
            "INSERT INTO passkey_secret (name, secret) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    private static final String RESEAL = "UPDATE passkey_secret SET secret = ? WHERE name = ?";

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
        String name = "porchlight " + purpose;
        String sealed = read(name);
        if (sealed == null) {
            byte[] first = secrets.previous().forPurpose(purpose); // existing data was written with it
            write(CREATE, name, sealer.seal(Base64.getEncoder().encodeToString(first), name));
            sealed = read(name);
        }
        String content = sealed == null ? null : sealer.open(sealed, name);
        if (sealed == null || content == null) {
            return secrets.current().forPurpose(purpose); // the secret is wrong; signing keys do not open either
        }
        String resealed = sealer.resealed(sealed, name);
        if (resealed != null) {
            write(RESEAL, resealed, name);
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

    private @Nullable String read(String name) {
        return Sql.first(sql.query(READ, row -> row.getString(1), name));
    }
}
