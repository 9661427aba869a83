// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

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

    /** A token and when it expires, in milliseconds since 1970. */
    public record Issued(String token, long expiresAt) {}

    public Issued issue(String userId) {
        String token = PREFIX + manager.newId();
        long expiresAt = manager.now() + LIFETIME.toMillis();
        manager.keep(KIND, token, userId, userId, expiresAt);
        return new Issued(token, expiresAt);
    }

    /** Whom the token enrols, without spending it: a person may need more than one try. */
    public @Nullable String userOf(String token) {
        Kept kept = manager.find(KIND, token);
        return kept == null ? null : kept.content();
    }

    /** Spends the token: of all who present it, one is told the user. */
    public @Nullable String spend(String token) {
        Kept kept = manager.take(KIND, token);
        return kept == null ? null : kept.content();
    }
}
