// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.crypto.KeyedHash;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Named tokens for programs, with a role, in the table {@code porchlight_api_token}. A token is random and is found by its keyed
 * hash, so neither the table nor the time of a search helps to guess one. Thread-safe.
 */
public final class ApiTokens {
    /** The form of a name. The console uses it in HTML, where the hyphen must be escaped. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}");

    static final int MAX_TOKENS = 100;
    private static final String PREFIX = "plt_";
    private static final Pattern TOKEN = Pattern.compile(PREFIX + "[\\w-]{43}");
    private static final int BYTES = 32;
    /** How much older than the last use the stored time may be. */
    private static final Duration USE_PRECISION = Duration.ofMinutes(5);

    private static final String SELECT = "SELECT name, role, created_at, created_by, "
            + AuditSubjects.userOfLabel("porchlight_api_token.created_by")
            + ", expires_at, last_used_at FROM porchlight_api_token";
    private static final String FIND = SELECT + " WHERE token_hash = ?";
    private static final String BY_NAME = SELECT + " WHERE name = ?";
    private static final String ALL = SELECT + " ORDER BY name";
    private static final String ANY = "SELECT 1 FROM porchlight_api_token LIMIT 1";
    private static final String COUNT = "SELECT COUNT(*) FROM porchlight_api_token";
    private static final String ADD =
            "INSERT INTO porchlight_api_token (name, role, token_hash, created_at, created_by,"
                    + " expires_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING";
    private static final String USED = "UPDATE porchlight_api_token SET last_used_at = ? WHERE name = ?";
    /** An empty update, which locks the row. */
    private static final String LOCK = "UPDATE porchlight_api_token SET name = name WHERE name = ?";

    private static final String REMOVE = "DELETE FROM porchlight_api_token WHERE name = ?";

    private final Sql sql;
    private final KeyedHash hashing;
    private final InstantSource clock;
    private final SecureRandom random;

    public ApiTokens(Sql sql, byte[] key, InstantSource clock, SecureRandom random) {
        this.sql = sql;
        this.hashing = new KeyedHash(key);
        this.clock = clock;
        this.random = random;
    }

    /**
     * A token without its secret. Times are in milliseconds since 1970.
     *
     * @param createdBy the label of the operator who issued it
     * @param expiresAt null for a token that does not expire
     * @param lastUsedAt at most five minutes before the last use; null if it was not used
     */
    public record Entry(
            String name,
            Role role,
            long createdAt,
            String createdBy,
            @Nullable Long expiresAt,
            @Nullable Long lastUsedAt) {
        public void write(JsonWriter json) {
            json.text("name", name)
                    .text("role", role.code())
                    .number("createdAt", createdAt)
                    .text("createdBy", createdBy)
                    .optionalNumber("expiresAt", expiresAt)
                    .optionalNumber("lastUsedAt", lastUsedAt);
        }
    }

    /** Whether a text has the form of a token. */
    public static boolean isToken(@Nullable String text) {
        return text != null && TOKEN.matcher(text).matches();
    }

    /** The valid token with this secret, or null. Records its use. */
    public @Nullable Entry use(String secret) {
        Entry found = isToken(secret) ? valid(FIND, hash(secret)) : null;
        long now = clock.millis();
        if (found != null && (found.lastUsedAt() == null || found.lastUsedAt() < now - USE_PRECISION.toMillis())) {
            sql.update(USED, now, found.name());
        }
        return found;
    }

    /** Whether this token is still valid, and not another one with its name. */
    public boolean isValid(Entry token) {
        return isSame(valid(BY_NAME, token.name()), token);
    }

    /** Whether this token is still stored, within a transaction of a caller who has locked it. */
    static boolean isStored(Connection connection, Entry token) throws SQLException {
        return isSame(Sql.first(Sql.query(connection, BY_NAME, ApiTokens::read, token.name())), token);
    }

    private static boolean isSame(@Nullable Entry found, Entry token) {
        return found != null && found.createdAt() == token.createdAt() && found.role() == token.role();
    }

    /** Locks a token, if it exists, until the transaction of the caller ends. */
    static void lock(Connection connection, String name) throws SQLException {
        Sql.update(connection, LOCK, name);
    }

    private @Nullable Entry valid(String query, String value) {
        Entry found = Sql.first(sql.query(query, ApiTokens::read, value));
        return found == null || found.expiresAt() != null && found.expiresAt() <= clock.millis() ? null : found;
    }

    public Optional<Entry> find(String name) {
        return Optional.ofNullable(Sql.first(sql.query(BY_NAME, ApiTokens::read, name)));
    }

    /** All tokens, by name, also expired ones. */
    public List<Entry> all() {
        return sql.query(ALL, ApiTokens::read);
    }

    public boolean any() {
        return sql.exists(ANY);
    }

    String newSecret() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Adds a token, within a transaction of the caller; false if the name is taken. */
    boolean add(Connection connection, Entry token, String secret) throws SQLException {
        return Sql.update(
                        connection,
                        ADD,
                        token.name(),
                        token.role().code(),
                        hash(secret),
                        token.createdAt(),
                        token.createdBy(),
                        token.expiresAt())
                == 1;
    }

    static boolean isFull(Connection connection) throws SQLException {
        return Sql.query(connection, COUNT, row -> row.getLong(1)).get(0) >= MAX_TOKENS;
    }

    /** The role of the token that was removed; empty if there is no such token. */
    static Optional<Role> remove(Connection connection, String name) throws SQLException {
        Entry found = Sql.first(Sql.query(connection, BY_NAME, ApiTokens::read, name));
        return Sql.update(connection, REMOVE, name) == 1
                ? Optional.ofNullable(found).map(Entry::role)
                : Optional.empty();
    }

    private String hash(String secret) {
        return hashing.base64Of(secret);
    }

    private static Entry read(ResultSet row) throws SQLException {
        return new Entry(
                row.getString(1),
                OperatorRoles.parse(row.getString(2)),
                row.getLong(3),
                AuditSubjects.shownLabel(row.getString(4), row.getString(5)),
                Sql.optionalLong(row, 6),
                Sql.optionalLong(row, 7));
    }
}
