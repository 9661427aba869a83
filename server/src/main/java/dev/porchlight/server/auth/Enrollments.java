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

    /** The manager stores operators' tokens; the sealer seals sign-up tokens, which are valid only while sign-up is open. */
    public Enrollments(SessionManager manager, Sealer sealer, boolean signUp) {
        this.manager = manager;
        this.sealer = sealer;
        this.signUp = signUp;
    }

    /**
     * The content of a token.
     *
     * @param key the token's key in the storage; null for a sign-up's, which is not stored
     * @param displayName the display name from a sign-up, if given
     */
    public record Enrollment(
            @Nullable String key, String userId, @Nullable String displayName, long expiresAt) {
        /** Whether the token is invalid once the user has a passkey, as a sign-up's is. */
        public boolean firstOnly() {
            return key == null;
        }

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
        String sealed = sealer.seal(content(userId, displayName, expiresAt), SIGNUP);
        return new Issued(PREFIX + SIGNUP_MARK + sealed, expiresAt);
    }

    /** Creates an operator's token for a user with or without passkeys. */
    public Issued forAnyUser(String userId, Duration lifetime) {
        String token = PREFIX + manager.newId();
        long expiresAt = manager.now() + lifetime.toMillis();
        manager.keep(KIND, token, userId, content(userId, null, expiresAt), expiresAt);
        return new Issued(token, expiresAt);
    }

    private static String content(String userId, @Nullable String displayName, long expiresAt) {
        return JsonWriter.object(json -> json.text("userId", userId)
                .optionalText("displayName", displayName)
                .number("expiresAt", expiresAt));
    }

    /** Whether the text has the prefix of an enrollment token. */
    public static boolean isToken(String text) {
        return text.startsWith(PREFIX);
    }

    /** Returns the content of a token without using it up, or null if it is invalid. */
    public @Nullable Enrollment find(String token) {
        if (token.startsWith(SIGNUP_MARK, PREFIX.length())) {
            String sealed = token.substring(PREFIX.length() + SIGNUP_MARK.length());
            return signUp ? read(null, sealer.open(sealed, SIGNUP)) : null;
        }
        StoredEntry kept = manager.find(KIND, token);
        return kept == null ? null : read(kept.key(), kept.content());
    }

    private @Nullable Enrollment read(@Nullable String key, @Nullable String content) {
        if (content == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(content, "enrollment");
            long expiresAt = json.integer("expiresAt");
            return expiresAt <= manager.now()
                    ? null
                    : new Enrollment(key, json.text("userId"), json.optionalText("displayName"), expiresAt);
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
}
