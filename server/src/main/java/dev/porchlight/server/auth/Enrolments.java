// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.data.MalformedException;
import dev.porchlight.server.auth.SessionManager.Kept;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Enrollment tokens: each lets its bearer register one passkey for one user, within ten minutes, and do nothing else. They are
 * in the database, also where sessions are in Redis, since a token is used up in the transaction of its registration. Thread-safe.
 */
public final class Enrolments {
    /** What the tokens begin with, so that they are never taken for another kind of token. */
    public static final String PREFIX = "enrol_";

    private static final String KIND = "enrolment";
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final SessionManager manager;

    public Enrolments(SessionManager manager) {
        this.manager = manager;
    }

    /**
     * What a token allows.
     *
     * @param key the token's key in the storage
     * @param displayName what the user wants to be called, if the user said so
     * @param firstOnly whether it is void once the user has a passkey: the user signed up, and no operator vouches for them
     */
    public record Enrolment(
            String key, String userId, @Nullable String displayName, boolean firstOnly, long expiresAt) {
        /** Uses up the token, within the transaction of the registration; false if it was used before. */
        boolean use(Connection connection) throws SQLException {
            return SqlSealedEntries.take(connection, KIND, key);
        }
    }

    /** A token and when it expires, in milliseconds since 1970. */
    public record Issued(String token, long expiresAt) {}

    /** A token for somebody who signs up himself. */
    public Issued forNewUser(String userId, @Nullable String displayName) {
        return issue(CanaryUser.refuse(userId), displayName, true);
    }

    /** A token for a user whom an administrator vouches for, and who may have passkeys already. */
    public Issued forAnyUser(String userId) {
        return issue(CanaryUser.refuse(userId), null, false);
    }

    /** A token for the canary: the only way its user comes to a passkey. */
    public Issued forCanary() {
        return issue(CanaryUser.ID, null, false);
    }

    /** What the token allows, without using it up. */
    public @Nullable Enrolment find(String token) {
        return read(manager.find(KIND, token));
    }

    /** Whether the user has a token that is neither used nor expired. */
    public boolean isPending(String userId) {
        return !manager.ofOwner(KIND, userId).isEmpty();
    }

    private Issued issue(String userId, @Nullable String displayName, boolean firstOnly) {
        String token = PREFIX + manager.newId();
        long expiresAt = manager.now() + LIFETIME.toMillis();
        String content = JsonWriter.object(json -> {
            json.text("userId", userId).bool("firstOnly", firstOnly);
            if (displayName != null) {
                json.text("displayName", displayName);
            }
        });
        manager.keep(KIND, token, userId, content, expiresAt);
        return new Issued(token, expiresAt);
    }

    private static @Nullable Enrolment read(@Nullable Kept kept) {
        if (kept == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(kept.content(), "enrolment");
            return new Enrolment(
                    kept.key(),
                    json.text("userId"),
                    json.optionalText("displayName"),
                    !Boolean.FALSE.equals(json.optionalBool("firstOnly")),
                    kept.expiresAt());
        } catch (MalformedException e) {
            return null; // written by a version that knew other members
        }
    }
}
