// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.auth.SessionManager.StoredEntry;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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

    private final SessionManager manager;
    private final Duration lifetime;
    private final boolean inDatabase;
    private volatile Consumer<String> accessEnded = userId -> {};
    private volatile Consumer<String> sessionEnded = handle -> {};

    /**
     * Sessions of a lifetime.
     *
     * @param inDatabase whether sessions are in the database, where a transaction that ends them deletes them
     */
    public Sessions(SessionManager manager, Duration lifetime, boolean inDatabase) {
        this.manager = manager;
        this.lifetime = lifetime;
        this.inDatabase = inDatabase;
    }

    boolean inDatabase() {
        return inDatabase;
    }

    /** A session with its new id, which is the value of the cookie, and the entry to store. */
    public record Opened(String id, Session session, SealedEntry entry) {}

    /**
     * Creates a session for a user who signed in, which the caller stores.
     *
     * @param generation the generation of the user's access, for a session that is not in the database
     */
    public Opened prepare(SignIn signIn, String userAgent, @Nullable Long generation) {
        String id = manager.newId();
        long expiresAt = manager.now() + lifetime.toMillis();
        String agent = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
        String credentialId = signIn.passkey().credentialId();
        long authSeconds = signIn.at().getEpochSecond();
        long createdAt = Grant.createdAt(signIn.passkey());
        Instant lastUse = signIn.passkey().lastUsedAt();
        long lastSignIn = lastUse == null ? createdAt : lastUse.toEpochMilli();
        String content = JsonWriter.object(json -> {
            json.text("userId", signIn.userId())
                    .text("credentialId", credentialId)
                    .text("passkeyCreatedAt", Long.toString(createdAt))
                    .text("authTime", Long.toString(authSeconds))
                    .text("lastSignIn", Long.toString(lastSignIn))
                    .text("userAgent", agent)
                    .texts("methods", signIn.methods());
            if (generation != null) {
                json.text("generation", Long.toString(generation));
            }
        });
        SealedEntry entry = manager.seal(KIND, id, signIn.userId(), content, expiresAt);
        var grant = new Grant(signIn.userId(), credentialId, createdAt, generation, Instant.ofEpochSecond(authSeconds));
        var session = new Session(entry.key(), grant, lastSignIn, expiresAt, agent, signIn.methods());
        return new Opened(id, session, entry);
    }

    /** Stores a session outside of a unit of work. */
    void keep(Opened prepared) {
        manager.entries().put(prepared.entry());
    }

    /** Enforces the limit of sessions per user after a unit of work stored one. */
    void kept(Opened prepared) {
        manager.entries().trim(prepared.entry());
    }

    /** The storage key of the session with this id. */
    String keyOf(String id) {
        return manager.keyOf(KIND, id);
    }

    public @Nullable Session find(String id) {
        StoredEntry kept = manager.find(KIND, id);
        return kept == null ? null : read(kept);
    }

    /** The user's sessions, newest first. */
    public List<Session> of(String userId) {
        return manager.ofOwner(KIND, userId).stream()
                .flatMap(kept -> Stream.ofNullable(read(kept)))
                .toList();
    }

    /** Whether the session with this handle has not ended, as stored now. */
    public boolean isOpen(String handle) {
        return manager.entries().find(KIND, handle) != null;
    }

    /** Ends the session with this id on all instances. */
    public boolean end(String id) {
        return end(keyOf(id), () -> manager.remove(KIND, id));
    }

    /** Ends one of the user's sessions by the handle that lists show. */
    public boolean endByHandle(String userId, String handle) {
        return manager.ofOwner(KIND, userId).stream()
                        .anyMatch(kept -> kept.key().equals(handle))
                && end(handle, () -> manager.removeByKey(KIND, handle));
    }

    /**
     * What depends on a session ends before it, so that the session remains for another attempt if that fails, and again
     * after it, because a concurrent request may have added to it.
     */
    private boolean end(String handle, BooleanSupplier remove) {
        sessionEnded.accept(handle);
        boolean ended = remove.getAsBoolean();
        sessionEnded.accept(handle);
        return ended;
    }

    /** Notifies of a session that a transaction of the caller ends; called before it and after it. */
    void replaced(String handle) {
        sessionEnded.accept(handle);
    }

    /** Ends all sessions of a user that are in the database, within a transaction of the caller. */
    void endAll(Connection connection, String userId) throws SQLException {
        if (inDatabase) {
            manager.removeOwner(connection, KIND, userId);
        }
    }

    /**
     * Sets what is notified.
     *
     * @param access of users whose sessions have ended, all or those of a passkey, after the transaction
     * @param session of the handles of single sessions that end, before and after it
     */
    public void onEnded(Consumer<String> access, Consumer<String> session) {
        accessEnded = access;
        sessionEnded = session;
    }

    /** Ends all sessions of a user that are in Redis. */
    void endAllInRedis(String userId) {
        inRedis(() -> manager.removeOwner(KIND, userId));
        accessEnded.accept(userId);
    }

    /** Ends the sessions in Redis that were opened with a passkey, which is removed. */
    void endInRedis(String userId, String credentialId) {
        accessEnded.accept(userId);
        inRedis(() -> of(userId).stream()
                .filter(session -> session.grant().credentialId().equals(credentialId))
                .forEach(session -> manager.removeByKey(KIND, session.handle())));
    }

    /** Ignores failures: these sessions are already invalid, by their generation or passkey, and expire. */
    private void inRedis(Runnable end) {
        if (inDatabase) {
            return;
        }
        try {
            end.run();
        } catch (StorageException e) {
            // see above
        }
    }

    /** Ends the sessions in the database that were opened with a passkey, within a transaction of the caller. */
    void endOpenedWith(Connection connection, String userId, String credentialId) throws SQLException {
        if (!inDatabase) {
            return;
        }
        List<SealedEntry> entries = new ArrayList<>();
        for (String owner : manager.ownerHashes(userId)) {
            entries.addAll(SqlSealedEntries.ofOwner(connection, KIND, owner));
        }
        for (StoredEntry kept : manager.opened(entries)) {
            Session session = read(kept);
            if (session != null && session.grant().credentialId().equals(credentialId)) {
                SqlSealedEntries.remove(connection, KIND, kept.key());
            }
        }
    }

    private @Nullable Session read(StoredEntry kept) {
        try {
            JsonObject json = JsonObject.parse(kept.content(), "session");
            String generation = json.optionalText("generation");
            var grant = new Grant(
                    json.text("userId"),
                    json.text("credentialId"),
                    Long.parseLong(json.text("passkeyCreatedAt")),
                    generation == null ? null : Long.valueOf(generation),
                    Instant.ofEpochSecond(Long.parseLong(json.text("authTime")))); // in seconds, as in tokens
            return new Session(
                    kept.key(),
                    grant,
                    Long.parseLong(json.text("lastSignIn")),
                    kept.expiresAt(),
                    json.text("userAgent"),
                    json.texts("methods"));
        } catch (MalformedException | NumberFormatException e) {
            return null; // written by another release: the user signs in again
        }
    }
}
