// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.SessionManager.StoredEntry;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Enrollment tokens. Each allows one registration of a passkey for one user, which also signs the user in. Thread-safe.
 *
 * <p>Operators' tokens are stored, and used up in the transaction of their registration. Sign-up tokens are sealed and not stored, so strangers cannot fill the database. They work
 * once, because only one registration can take the name.
 */
public final class Enrollments {
    /** The prefix that distinguishes these tokens from other kinds. */
    private static final String PREFIX = "enroll_";

    private static final String KIND = SealedEntry.ENROLLMENT;

    /** The lifetime of sign-ups, and of operators' tokens by default. */
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    public static final Duration MAX_LIFETIME = Duration.ofDays(7);

    /** Follows the prefix in sign-up tokens. */
    private static final String SIGNUP_MARK = "signup_";

    private static final String SIGNUP = "signup";

    private final SessionManager manager;
    private final Sealer sealer;
    private final boolean signUp;

    /**
     * Enrollment tokens.
     *
     * @param manager stores operators' tokens
     * @param sealer seals sign-up tokens
     * @param signUp whether sign-up is open; otherwise sign-up tokens are invalid
     */
    public Enrollments(SessionManager manager, Sealer sealer, boolean signUp) {
        this.manager = manager;
        this.sealer = sealer;
        this.signUp = signUp;
    }

    /**
     * The content of a token.
     *
     * @param key the token's key in the storage; null if it is not stored
     * @param displayName the display name from a sign-up, if given
     * @param firstOnly whether the token is invalid once the user has a passkey, as a sign-up's is
     */
    public record Enrollment(
            @Nullable String key, String userId, @Nullable String displayName, boolean firstOnly, long expiresAt) {
        /** Whether the token was not used before, within a transaction that has locked the user. */
        boolean isUnused(Connection connection) throws SQLException {
            return key == null || SqlSealedEntries.contains(connection, KIND, key);
        }

        /** Uses up a token that {@link #isUnused}, within the same transaction. */
        void use(Connection connection) throws SQLException {
            if (key != null) {
                SqlSealedEntries.remove(connection, KIND, key);
            }
        }
    }

    /** A token and its expiry in milliseconds since 1970. */
    public record Issued(String token, long expiresAt) {}

    /** Creates a sign-up token. */
    public Issued forNewUser(String userId, @Nullable String displayName) {
        long expiresAt = manager.now() + LIFETIME.toMillis();
        String content = JsonWriter.object(json -> {
            json.text("userId", userId).number("expiresAt", expiresAt);
            if (displayName != null) {
                json.text("displayName", displayName);
            }
        });
        return new Issued(PREFIX + SIGNUP_MARK + sealer.seal(content, SIGNUP), expiresAt);
    }

    /** Creates an operator's token for a user with or without passkeys. */
    public Issued forAnyUser(String userId, Duration lifetime) {
        String token = PREFIX + manager.newId();
        long expiresAt = manager.now() + lifetime.toMillis();
        String content = JsonWriter.object(json -> json.text("userId", userId).bool("firstOnly", false));
        manager.keep(KIND, token, userId, content, expiresAt);
        return new Issued(token, expiresAt);
    }

    /** Whether the text has the prefix of an enrollment token. */
    public static boolean isToken(String text) {
        return text.startsWith(PREFIX);
    }

    /** Returns the content of a token without using it up, or null if it is invalid. */
    public @Nullable Enrollment find(String token) {
        return token.startsWith(SIGNUP_MARK, PREFIX.length())
                ? !signUp ? null : opened(sealer.open(token.substring(PREFIX.length() + SIGNUP_MARK.length()), SIGNUP))
                : read(manager.find(KIND, token));
    }

    private @Nullable Enrollment opened(@Nullable String content) {
        if (content == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(content, "enrollment");
            Long expiresAt = json.optionalInteger("expiresAt");
            return expiresAt == null || expiresAt <= manager.now()
                    ? null
                    : new Enrollment(null, json.text("userId"), json.optionalText("displayName"), true, expiresAt);
        } catch (MalformedException e) {
            return null; // written by another release
        }
    }

    /** Whether the user has an operator's token that is neither used nor expired. */
    public boolean isPending(String userId) {
        return !manager.ofOwner(KIND, userId).isEmpty();
    }

    /** Ends the operators' tokens for a user, within a transaction of the caller. */
    void endAll(Connection connection, String userId) throws SQLException {
        manager.removeOwner(connection, KIND, userId);
    }

    private static @Nullable Enrollment read(@Nullable StoredEntry kept) {
        if (kept == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(kept.content(), "enrollment");
            return new Enrollment(
                    kept.key(),
                    json.text("userId"),
                    json.optionalText("displayName"),
                    !Boolean.FALSE.equals(json.optionalBool("firstOnly")),
                    kept.expiresAt());
        } catch (MalformedException e) {
            return null; // written by another release
        }
    }
}
