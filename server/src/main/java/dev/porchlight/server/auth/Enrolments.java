// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.data.MalformedException;
import dev.porchlight.server.auth.SessionManager.Kept;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Enrolment tokens: each lets its bearer register one passkey for one user, within ten minutes, and do nothing else.
 * Thread-safe.
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
     * @param displayName what the user wants to be called, if he said so
     * @param firstOnly whether it is void once the user has a passkey: he signed up himself, and nobody vouches for him
     */
    public record Enrolment(String userId, @Nullable String displayName, boolean firstOnly, long expiresAt) {}

    /** A token and when it expires, in milliseconds since 1970. */
    public record Issued(String token, long expiresAt) {}

    /** A token for somebody who signs up himself. */
    public Issued forNewUser(String userId, @Nullable String displayName) {
        return issue(new Enrolment(CanaryUser.refuse(userId), displayName, true, expiry()));
    }

    /** A token for a user whom an administrator vouches for, and who may have passkeys already. */
    public Issued forAnyUser(String userId) {
        return issue(new Enrolment(CanaryUser.refuse(userId), null, false, expiry()));
    }

    /** A token for the canary: the only way its user comes to a passkey. */
    public Issued forCanary() {
        return issue(new Enrolment(CanaryUser.ID, null, false, expiry()));
    }

    /** What the token allows, without spending it. */
    public @Nullable Enrolment find(String token) {
        return read(manager.find(KIND, token));
    }

    /** Whether the user has a token that is neither used nor expired. */
    public boolean isPending(String userId) {
        return !manager.ofOwner(KIND, userId).isEmpty();
    }

    /** Spends the token: of all who present it, one is told what it allows. */
    public @Nullable Enrolment spend(String token) {
        return read(manager.take(KIND, token));
    }

    /** Makes a spent token good again, because the registration it was spent on came to nothing. */
    public void giveBack(String token, Enrolment enrolment) {
        keep(token, enrolment);
    }

    private Issued issue(Enrolment enrolment) {
        String token = PREFIX + manager.newId();
        keep(token, enrolment);
        return new Issued(token, enrolment.expiresAt());
    }

    private void keep(String token, Enrolment enrolment) {
        String content = JsonWriter.object(json -> {
            json.text("userId", enrolment.userId()).bool("firstOnly", enrolment.firstOnly());
            if (enrolment.displayName() != null) {
                json.text("displayName", enrolment.displayName());
            }
        });
        manager.keep(KIND, token, enrolment.userId(), content, enrolment.expiresAt());
    }

    private static @Nullable Enrolment read(@Nullable Kept kept) {
        if (kept == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(kept.content(), "enrolment");
            return new Enrolment(
                    json.text("userId"),
                    json.optionalText("displayName"),
                    !Boolean.FALSE.equals(json.optionalBool("firstOnly")),
                    kept.expiresAt());
        } catch (MalformedException e) {
            return null; // written by a version that knew other members
        }
    }

    private long expiry() {
        return manager.now() + LIFETIME.toMillis();
    }
}
