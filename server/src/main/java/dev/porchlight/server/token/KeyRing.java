// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.JWKGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.crypto.Sealer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The signing keys of all instances, always for each algorithm. A new key is published before it signs, for as long as others
 * may keep the key set; a key that no longer signs stays published until its last token has expired. Thread-safe.
 *
 * <p>Two instances that start on an empty database may both create keys. That is harmless: all are published, and both
 * instances sign with the newer ones after the next refresh.
 */
public final class KeyRing {
    /** How long others may keep the key set. */
    public static final Duration MAX_CACHED = Duration.ofMinutes(5);

    private static final Duration REFRESH = Duration.ofSeconds(5);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);
    private static final Duration PUBLISHED_BEFORE_USE =
            MAX_CACHED.plus(REFRESH).plus(CLOCK_SKEW);
    private static final List<JWSAlgorithm> ALGORITHMS = List.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256);
    private static final int RSA_BITS = 2048;
    private static final String REMOVE = "DELETE FROM porchlight_signing_key WHERE kid = ?";
    private static final String ADD = "INSERT INTO porchlight_signing_key (kid, created_at, sealed) VALUES (?, ?, ?)";

    private final Sql sql;
    private final Sealer sealer;
    private final InstantSource clock;
    private final Duration tokenLifetime;
    private volatile Snapshot snapshot = new Snapshot(List.of(), Long.MIN_VALUE);

    /** A row of the table {@code porchlight_signing_key}, with the private JWK sealed. */
    private record Row(String kid, long createdAt, String sealed) {}

    private record Dated(JWK key, long createdAt) {}

    private record Snapshot(List<Dated> keys, long readAt) {}

    public KeyRing(Sql sql, Sealer sealer, InstantSource clock, Duration tokenLifetime) {
        this.sql = sql;
        this.sealer = sealer;
        this.clock = clock;
        this.tokenLifetime = tokenLifetime;
    }

    /**
     * Creates the keys of algorithms that have none. Called before the service accepts requests, so that they are published
     * before they sign. If a stored key cannot be opened, nothing is created, and the service is not ready.
     */
    public void createMissing() {
        boolean readable = rows().stream().allMatch(row -> sealer.open(row.sealed(), row.kid()) != null);
        if (readable && ALGORITHMS.stream().anyMatch(algorithm -> signing(read(), algorithm) == null)) {
            rotate();
        }
    }

    /** The key that signs now with ES256 or RS256; replaced here if it was removed by hand. */
    public JWK signing(JWSAlgorithm algorithm) {
        JWK signing = signing(current(), algorithm);
        if (signing == null) {
            rotate();
            signing = signing(current(), algorithm);
        }
        return Objects.requireNonNull(signing);
    }

    /** The id of the key that signs the service's own tokens now. */
    public String signingKeyId() {
        return signing(JWSAlgorithm.ES256).getKeyID();
    }

    /** The algorithm that a key of a ring is for. */
    static JWSAlgorithm algorithm(JWK key) {
        return key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
    }

    /** The newest key that everyone knows; as long as no key is that old, the first one. */
    private @Nullable JWK signing(Snapshot snapshot, JWSAlgorithm algorithm) {
        long known = clock.millis() - PUBLISHED_BEFORE_USE.toMillis();
        JWK found = null;
        for (Dated dated : snapshot.keys()) {
            if (algorithm(dated.key()).equals(algorithm) && (found == null || dated.createdAt() <= known)) {
                found = dated.key();
            }
        }
        return found;
    }

    /** Returns the published key with this id, reading the store again if it is unknown. */
    public @Nullable JWK named(String kid) {
        JWK known = find(current(), kid);
        return known == null && isOlderThan(snapshot, Duration.ofSeconds(1)) ? find(read(), kid) : known;
    }

    /** Whether the database still has the key with this id. Nothing is cached: a revoked key ends its tokens at once. */
    public boolean isStored(String kid) {
        return sql.exists("SELECT 1 FROM porchlight_signing_key WHERE kid = ?", kid);
    }

    /** The public keys, newest first, as a JSON Web Key Set. */
    public byte[] publishedJson() {
        var keys = new ArrayList<JWK>();
        current().keys().forEach(dated -> keys.add(0, dated.key().toPublicJWK()));
        return new JWKSet(keys).toString(true).getBytes(StandardCharsets.UTF_8);
    }

    /** The published keys, newest first. */
    public List<PublishedKey> published() {
        Snapshot now = current();
        var published = new ArrayList<PublishedKey>();
        for (Dated dated : now.keys()) {
            JWSAlgorithm algorithm = algorithm(dated.key());
            boolean first = published.stream().noneMatch(key -> key.algorithm().equals(algorithm.getName()));
            long from = dated.createdAt() + (first ? 0 : PUBLISHED_BEFORE_USE.toMillis());
            boolean signs = dated.key().equals(signing(now, algorithm));
            String kid = dated.key().getKeyID();
            published.add(0, new PublishedKey(kid, algorithm.getName(), signs, from, lastUse(now.keys(), dated)));
        }
        return published;
    }

    /** Creates a new signing key for each algorithm, and deletes keys whose tokens have all expired. */
    public void rotate() {
        List<Dated> stored = rows().stream().map(this::open).toList();
        replace(connection -> {
            for (Dated old : expired(stored, clock.millis())) {
                Sql.update(connection, REMOVE, old.key().getKeyID());
            }
            return true;
        });
    }

    /**
     * Creates a new signing key for each algorithm, and deletes all others, which ends the tokens that they signed.
     *
     * @param more ends what else was issued with them, within the same transaction
     */
    public void revoke(Sql.Work<Integer> more) {
        replace(connection -> Sql.update(connection, "DELETE FROM porchlight_signing_key") + more.with(connection));
    }

    private void replace(Sql.Work<?> end) {
        List<JWK> created = ALGORITHMS.stream().map(KeyRing::create).toList();
        sql.transaction("rotate the signing keys", connection -> {
            var unused = end.with(connection);
            for (JWK key : created) {
                add(connection, key);
            }
            return true;
        });
        read();
    }

    private static JWK create(JWSAlgorithm algorithm) {
        try {
            JWKGenerator<? extends JWK> generator = algorithm.equals(JWSAlgorithm.ES256)
                    ? new ECKeyGenerator(Curve.P_256)
                    : new RSAKeyGenerator(RSA_BITS);
            return generator
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(algorithm)
                    .keyID(UUID.randomUUID().toString())
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("every JDK creates keys for " + algorithm, e);
        }
    }

    private int add(Connection connection, JWK key) throws SQLException {
        String kid = key.getKeyID();
        return Sql.update(connection, ADD, kid, clock.millis(), sealer.seal(key.toJSONString(), kid));
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

    private List<Dated> expired(List<Dated> keys, long now) {
        return keys.stream()
                .filter(key -> Objects.requireNonNullElse(lastUse(keys, key), Long.MAX_VALUE) < now)
                .toList();
    }

    /**
     * When the last token of a key has expired; null without a successor. A key signs its last token when its successor begins
     * to, plus the refresh interval of other instances.
     */
    private @Nullable Long lastUse(List<Dated> keys, Dated key) {
        long lifetime = PUBLISHED_BEFORE_USE
                .plus(tokenLifetime)
                .plus(CLOCK_SKEW)
                .plus(REFRESH)
                .toMillis();
        return keys.stream()
                .skip(keys.indexOf(key) + 1L)
                .filter(later -> algorithm(later.key()).equals(algorithm(key.key())))
                .findFirst()
                .map(successor -> successor.createdAt() + lifetime)
                .orElse(null);
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
