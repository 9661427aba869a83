// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.SealedEntries.StoredEntry;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of signed-in browsers. The cookie has an unguessable id; the content is stored on the server, where it can be listed
 * and revoked. Thread-safe.
 */
public final class Sessions {
    private static final String KIND = SealedEntry.SESSION;
    private static final int MAX_USER_AGENT = 200;

    private final SealedEntries entries;
    private final Duration lifetime;
    private volatile Consumer<String> sessionEnded = handle -> {};
    private volatile Dependents dependents = (connection, handle) -> () -> {};

    public Sessions(SealedEntries entries, Duration lifetime) {
        this.entries = entries;
        this.lifetime = lifetime;
    }

    /** A session with its new id, which is the value of the cookie, and the entry to store. */
    public record Opened(String id, Session session, SealedEntry entry) {}

    /** Creates a session for a user who signed in, which the caller stores. */
    public Opened prepare(SignIn signIn, Browser browser) {
        String id = entries.newId();
        long expiresAt = entries.now() + lifetime.toMillis();
        String userAgent = browser.userAgent();
        String agent = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
        Grant grant = Grant.of(signIn);
        Instant lastUse = signIn.passkey().details().lastUsedAt();
        long lastSignIn = lastUse == null ? grant.passkeyCreatedAt() : lastUse.toEpochMilli();
        String content = JsonWriter.object(json -> {
            grant.write(json);
            json.number("lastSignIn", lastSignIn)
                    .text("userAgent", agent)
                    .optionalText("requestId", browser.requestId())
                    .texts("methods", signIn.methods());
        });
        SealedEntry entry = entries.seal(KIND, id, signIn.userId(), content, expiresAt);
        var session =
                new Session(entry.key(), grant, lastSignIn, expiresAt, agent, browser.requestId(), signIn.methods());
        return new Opened(id, session, entry);
    }

    /** Enforces the limit of sessions per user after a unit of work stored one. */
    void kept(Opened prepared) {
        entries.table().trim(prepared.entry());
    }

    /** The storage key of the session with this id. */
    String keyOf(String id) {
        return entries.keyOf(KIND, id);
    }

    public @Nullable Session find(String id) {
        StoredEntry kept = entries.find(KIND, id);
        return kept == null ? null : read(kept);
    }

    /** The user's sessions, newest first. */
    public List<Session> of(String userId) {
        return entries.ofOwner(KIND, userId).stream()
                .flatMap(kept -> Stream.ofNullable(read(kept)))
                .toList();
    }

    /** Whether the session with this handle has not ended, as stored now. */
    public boolean isOpen(String handle) {
        return entries.table().find(KIND, handle) != null;
    }

    /** The same within a transaction of the caller, until whose end it does not end. */
    static boolean holdOpen(Connection connection, String handle) throws SQLException {
        return SqlSealedEntries.hold(connection, KIND, handle);
    }

    /** Ends the session with this id on all instances. */
    public boolean end(String id) {
        return endByKey(keyOf(id));
    }

    /** Ends one of the user's sessions by the handle that ID tokens and lists have. */
    public boolean endByHandle(String userId, String handle) {
        return has(userId, handle) && endByKey(handle);
    }

    /** Whether the user has a session with this handle. */
    boolean has(String userId, String handle) {
        return entries.ofOwner(KIND, userId).stream()
                .anyMatch(kept -> kept.key().equals(handle));
    }

    /**
     * What depends on a session ends before it, so that the session remains for another attempt if that fails, and again
     * after it, because a concurrent request may have added to it.
     */
    private boolean endByKey(String key) {
        sessionEnded.accept(key);
        boolean ended = entries.remove(KIND, key);
        sessionEnded.accept(key);
        return ended;
    }

    /** Notifies of a session that a login replaces; called before its transaction and after it. */
    void ending(String handle) {
        sessionEnded.accept(handle);
    }

    /** Ends what depends on a session, within the transaction that ends it. */
    @FunctionalInterface
    public interface Dependents {
        /** Returns what to do after the commit. */
        Runnable end(Connection connection, String handle) throws SQLException;
    }

    /**
     * Sets what ends with single sessions.
     *
     * @param session is notified of the handle of one that ends without that transaction, before and after it
     */
    public void onEnded(Consumer<String> session, Dependents inTransaction) {
        sessionEnded = session;
        dependents = inTransaction;
    }

    /**
     * Ends the session with this handle and what depends on it, within a transaction of the caller, who has locked the user.
     *
     * @return what to do after the commit; empty if there is no such session
     */
    Optional<Runnable> end(Connection connection, String handle) throws SQLException {
        return SqlSealedEntries.remove(connection, KIND, handle)
                ? Optional.of(dependents.end(connection, handle))
                : Optional.empty();
    }

    /** Ends all sessions of a user, within a transaction of the caller. */
    void endAll(Connection connection, String userId) throws SQLException {
        entries.removeOwner(connection, KIND, userId);
    }

    /** Ends the sessions that were opened with a passkey, within a transaction of the caller. */
    void endOpenedWith(Connection connection, String userId, String credentialId) throws SQLException {
        for (StoredEntry kept : entries.ofOwner(connection, KIND, userId)) {
            Session session = read(kept);
            if (session != null && session.grant().credentialId().equals(credentialId)) {
                SqlSealedEntries.remove(connection, KIND, kept.key());
            }
        }
    }

    private @Nullable Session read(StoredEntry kept) {
        try {
            JsonObject json = JsonObject.parse(kept.content(), "session");
            return new Session(
                    kept.key(),
                    Grant.read(json),
                    json.integer("lastSignIn"),
                    kept.expiresAt(),
                    json.text("userAgent"),
                    json.optionalText("requestId"),
                    json.texts("methods"));
        } catch (MalformedException e) {
            return null; // written by another release: the user signs in again
        }
    }
}
