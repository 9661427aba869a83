// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.auth.Sealer;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys of all instances. The newest key signs; the others stay published until their last token has expired.
 * Thread-safe.
 *
 * <p>Two instances that start on an empty database may both create a key. That is harmless: both keys are published, and both
 * instances sign with the newer one after the next refresh.
 */
public final class KeyRing {
    private static final Duration REFRESH = Duration.ofSeconds(5);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);
    private static final int RSA_BITS = 2048;
    private static final String ADD = "INSERT INTO porchlight_signing_key (kid, created_at, sealed) VALUES (?, ?, ?)";

    private final Sql sql;
    private final Sealer sealer;
    private final InstantSource clock;
    private final Duration tokenLifetime;
    private volatile Snapshot snapshot = new Snapshot(List.of(), Long.MIN_VALUE);

    /**
     * A row of the table {@code porchlight_signing_key}.
     *
     * @param kid the key id in token headers and the JWKS
     * @param createdAt in milliseconds since 1970; the newest key signs
     * @param sealed the private JWK, sealed under a key derived from the session secret
     */
    private record Row(String kid, long createdAt, String sealed) {}

    private record Dated(JWK key, long createdAt) {}

    private record Snapshot(List<Dated> keys, long readAt) {}

    public KeyRing(Sql sql, Sealer sealer, InstantSource clock, Duration tokenLifetime) {
        this.sql = sql;
        this.sealer = sealer;
        this.clock = clock;
        this.tokenLifetime = tokenLifetime;
    }

    /** Returns the current signing key, created if missing. */
    public ECKey signing() {
        ECKey newest = newest(current(), ECKey.class);
        if (newest == null) {
            rotate();
            newest = newest(snapshot, ECKey.class);
        }
        return Objects.requireNonNull(newest);
    }

    /** The RSA key that signs now, for clients that cannot verify ES256; created first if there is none. */
    public RSAKey signingRsa() {
        RSAKey newest = newest(current(), RSAKey.class);
        if (newest == null) {
            addRsa();
            newest = newest(snapshot, RSAKey.class);
        }
        return Objects.requireNonNull(newest);
    }

    private static <K extends JWK> @Nullable K newest(Snapshot snapshot, Class<K> type) {
        return snapshot.keys().stream()
                .map(Dated::key)
                .filter(type::isInstance)
                .map(type::cast)
                .reduce((older, newer) -> newer)
                .orElse(null);
    }

    /** Returns the published key with this id, reading the store again if it is unknown. */
    public @Nullable JWK named(String kid) {
        JWK known = find(current(), kid);
        return known == null && isOlderThan(snapshot, Duration.ofSeconds(1)) ? find(read(), kid) : known;
    }

    /** Whether the database still has the key with this id. Nothing is cached: a revoked key ends its tokens at once. */
    public boolean isStored(String kid) {
        return !sql.query("SELECT 1 FROM porchlight_signing_key WHERE kid = ?", row -> row.getInt(1), kid)
                .isEmpty();
    }

    /** The public keys, newest first, as a JSON Web Key Set. */
    public byte[] publishedJson() {
        var keys = new ArrayList<JWK>();
        current().keys().forEach(dated -> keys.add(0, dated.key().toPublicJWK()));
        return new JWKSet(keys).toString(true).getBytes(StandardCharsets.UTF_8);
    }

    /** The ids of the published keys, the signing key first. */
    public List<String> names() {
        var names = new ArrayList<String>();
        current().keys().forEach(dated -> names.add(0, dated.key().getKeyID()));
        return names;
    }

    /** Creates a new signing key, deletes keys whose tokens have all expired, and returns the new key id. */
    public String rotate() {
        return rotate(false);
    }

    /** Creates a new signing key and deletes all others, which ends the tokens they signed. Returns the new key id. */
    public String rotateNow() {
        return rotate(true);
    }

    private String rotate(boolean revoke) {
        try {
            ECKey key = new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyID(UUID.randomUUID().toString())
                    .generate();
            long now = clock.millis();
            String sealed = sealer.seal(key.toJSONString(), key.getKeyID());
            if (revoke) {
                sql.transaction("revoke signing keys", connection -> {
                    Sql.update(connection, "DELETE FROM porchlight_signing_key");
                    return Sql.update(connection, ADD, key.getKeyID(), now, sealed);
                });
            } else {
                for (Dated old : expired(read().keys(), now)) {
                    sql.update(
                            "DELETE FROM porchlight_signing_key WHERE kid = ?",
                            old.key().getKeyID());
                }
                sql.update(ADD, key.getKeyID(), now, sealed);
            }
            if (newest(snapshot, RSAKey.class) != null) {
                addRsa();
            }
            read();
            return key.getKeyID();
        } catch (JOSEException e) {
            throw new IllegalStateException("every JDK creates P-256 keys", e);
        }
    }

    private void addRsa() {
        try {
            RSAKey key = new RSAKeyGenerator(RSA_BITS)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.RS256)
                    .keyID(UUID.randomUUID().toString())
                    .generate();
            sql.update(ADD, key.getKeyID(), clock.millis(), sealer.seal(key.toJSONString(), key.getKeyID()));
            read();
        } catch (JOSEException e) {
            throw new IllegalStateException("every JDK creates RSA keys", e);
        }
    }

    /** Reseals keys that are sealed under the previous secret, and returns their number. */
    public int reseal() {
        int count = 0;
        for (Row row : rows()) {
            String resealed = sealer.resealed(row.sealed(), row.kid());
            if (resealed != null) {
                sql.update("UPDATE porchlight_signing_key SET sealed = ? WHERE kid = ?", resealed, row.kid());
                count++;
            }
        }
        return count;
    }

    /** All keys, oldest first. */
    private List<Row> rows() {
        return sql.query(
                "SELECT kid, created_at, sealed FROM porchlight_signing_key ORDER BY created_at, kid",
                row -> new Row(row.getString(1), row.getLong(2), row.getString(3)));
    }

    /** A key signs its last token when its successor appears, plus the refresh interval of other instances. */
    private List<Dated> expired(List<Dated> keys, long now) {
        long lifetime = tokenLifetime.plus(CLOCK_SKEW).plus(REFRESH).toMillis();
        var expired = new ArrayList<Dated>();
        for (int i = 0; i < keys.size(); i++) {
            Dated key = keys.get(i);
            keys.stream()
                    .skip(i + 1L)
                    .filter(later -> later.key().getKeyType().equals(key.key().getKeyType()))
                    .findFirst()
                    .filter(successor -> successor.createdAt() + lifetime < now)
                    .ifPresent(unused -> expired.add(key));
        }
        return expired;
    }

    private Snapshot current() {
        Snapshot known = snapshot;
        if (!isOlderThan(known, REFRESH)) {
            return known;
        }
        try {
            return read();
        } catch (StorageException e) {
            // Known keys stay in use while the database is down; without any, nothing can be signed or verified.
            if (known.keys().isEmpty()) {
                throw e;
            }
            snapshot = new Snapshot(known.keys(), clock.millis());
            return known;
        }
    }

    private boolean isOlderThan(Snapshot known, Duration age) {
        return known.readAt() == Long.MIN_VALUE || Math.abs(clock.millis() - known.readAt()) >= age.toMillis();
    }

    private Snapshot read() {
        long now = clock.millis();
        List<Dated> keys = rows().stream().map(this::open).toList();
        var live = new ArrayList<>(keys);
        live.removeAll(expired(keys, now));
        Snapshot read = new Snapshot(List.copyOf(live), now);
        snapshot = read;
        return read;
    }

    private Dated open(Row row) {
        String jwk = sealer.open(row.sealed(), row.kid());
        if (jwk == null) {
            throw new StorageException(
                    "signing key " + row.kid()
                            + " cannot be opened: it was sealed under another SESSION_SECRET. Set that secret as SESSION_SECRET_PREVIOUS, or remove the key");
        }
        try {
            return new Dated(JWK.parse(jwk), row.createdAt());
        } catch (ParseException e) {
            throw new StorageException("signing key " + row.kid() + " is damaged", e);
        }
    }

    private static @Nullable JWK find(Snapshot snapshot, String kid) {
        return snapshot.keys().stream()
                .map(Dated::key)
                .filter(key -> key.getKeyID().equals(kid))
                .findFirst()
                .orElse(null);
    }
}
