// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.data.MalformedException;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import dev.porchlight.server.auth.SessionManager.Kept;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The signed-in browsers: each holds an unguessable id in a cookie, and what it stands for is kept on the server, where it can
 * be listed and revoked. Thread-safe.
 */
public final class Sessions {
    private static final String KIND = "session";
    private static final int MAX_USER_AGENT = 200;

    private final SessionManager manager;
    private final Duration lifetime;

    public Sessions(SessionManager manager, Duration lifetime) {
        this.manager = manager;
        this.lifetime = lifetime;
    }

    /** A session under a fresh id, which is what the cookie holds. */
    public record Opened(String id, Session session) {}

    /** Opens a session for whoever proved to be the user; there is no other way to open one. */
    public Opened open(VerifiedAssertion proof, String userAgent) {
        String id = manager.newId();
        long expiresAt = manager.now() + lifetime.toMillis();
        String agent = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
        String credentialId = proof.credential().credentialId();
        long authSeconds = proof.at().getEpochSecond();
        String content = JsonWriter.object(json -> json.text("userId", proof.userId())
                .text("credentialId", credentialId)
                .text("authTime", Long.toString(authSeconds))
                .text("userAgent", agent));
        String handle = manager.keep(KIND, id, proof.userId(), content, expiresAt);
        return new Opened(id, new Session(handle, proof.userId(), credentialId, authSeconds * 1_000, expiresAt, agent));
    }

    public @Nullable Session find(String id) {
        Kept kept = manager.find(KIND, id);
        return kept == null ? null : read(kept);
    }

    /** The user's sessions, newest first. */
    public List<Session> of(String userId) {
        return manager.ofOwner(KIND, userId).stream()
                .flatMap(kept -> Stream.ofNullable(read(kept)))
                .toList();
    }

    /** Ends the session with this id, at once and on every instance. */
    public boolean end(String id) {
        return manager.remove(KIND, id);
    }

    /** Ends one of the user's sessions by the handle that lists show. */
    public boolean endByHandle(String userId, String handle) {
        return manager.ofOwner(KIND, userId).stream()
                        .anyMatch(kept -> kept.key().equals(handle))
                && manager.removeByKey(KIND, handle);
    }

    public int endAll(String userId) {
        return manager.removeOwner(KIND, userId);
    }

    /** Ends the sessions that were opened with a passkey, which is about to be removed. */
    public void endOpenedWith(String userId, String credentialId) {
        of(userId).stream()
                .filter(session -> session.credentialId().equals(credentialId))
                .forEach(session -> manager.removeByKey(KIND, session.handle()));
    }

    private static @Nullable Session read(Kept kept) {
        try {
            JsonObject json = JsonObject.parse(kept.content(), "session");
            return new Session(
                    kept.key(),
                    json.text("userId"),
                    json.text("credentialId"),
                    Long.parseLong(json.text("authTime")) * 1_000, // kept in seconds, as in tokens
                    kept.expiresAt(),
                    json.text("userAgent"));
        } catch (MalformedException | NumberFormatException e) {
            return null; // written by a version that knew other members: the user signs in again
        }
    }
}
