// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.SealedEntry;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what must be remembered between two requests (sessions, enrolments) so that whoever reads the storage
 * learns nothing he could use: keys and owners are stored as keyed hashes, contents are sealed, all under keys derived from
 * one secret. Thread-safe.
 *
 * <p>Expiry is judged here, by this clock: a storage that still returns an expired entry does no harm.
 */
public final class SessionManager {
    private static final int ID_BYTES = 32;

    private final SealedEntries entries;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Sealer sealer;
    private final KeyedHash hashing;

    /** What was found: its key in the storage, its content, and when it expires. */
    record Kept(String key, String content, long expiresAt) {}

    public SessionManager(String secret, SealedEntries entries, InstantSource clock, SecureRandom random) {
        var keys = new DerivedKeys(secret);
        this.entries = entries;
        this.clock = clock;
        this.random = random;
        this.sealer = new Sealer(keys.forPurpose("seal entries"), random);
        this.hashing = new KeyedHash(keys.forPurpose("hash keys and owners"));
    }

    /** A new unguessable id, in base64url. */
    String newId() {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }

    long now() {
        return clock.millis();
    }

    /** Keeps something, and returns its key in the storage. */
    String keep(String kind, String id, String owner, String content, long expiresAt) {
        SealedEntry entry = seal(kind, id, owner, content, expiresAt);
        entries.put(entry);
        return entry.key();
    }

    /** An entry that somebody else keeps. */
    SealedEntry seal(String kind, String id, String owner, String content, long expiresAt) {
        String key = hash(kind, id);
        String ownerHash = ownerHash(owner);
        String sealed = sealer.seal(content, place(kind, key, ownerHash, expiresAt));
        return new SealedEntry(kind, key, ownerHash, sealed, expiresAt);
    }

    SealedEntries entries() {
        return entries;
    }

    /** The key in the storage of the entry with this id. */
    String keyOf(String kind, String id) {
        return hash(kind, id);
    }

    String ownerHash(String owner) {
        return hash("owner", owner);
    }

    @Nullable
    Kept find(String kind, String id) {
        return live(open(entries.find(kind, hash(kind, id))));
    }

    /** As {@link #find}, and nobody finds it again. */
    @Nullable
    Kept take(String kind, String id) {
        return live(open(entries.take(kind, hash(kind, id))));
    }

    /** The owner's entries, newest first. */
    List<Kept> ofOwner(String kind, String owner) {
        return opened(entries.ofOwner(kind, ownerHash(owner)));
    }

    /** The contents of entries that are live and genuine. */
    List<Kept> opened(List<SealedEntry> found) {
        return found.stream()
                .flatMap(entry -> Stream.ofNullable(live(open(entry))))
                .toList();
    }

    boolean remove(String kind, String id) {
        return entries.take(kind, hash(kind, id)) != null;
    }

    /** Removes an entry by its key in the storage, as {@link Kept} has it. */
    boolean removeByKey(String kind, String key) {
        return entries.take(kind, key) != null;
    }

    int removeOwner(String kind, String owner) {
        return entries.removeOwner(kind, ownerHash(owner));
    }

    /** Forgets what has expired; called now and then by the server. */
    public int sweep() {
        return entries.sweep(now());
    }

    private @Nullable Kept live(@Nullable Kept kept) {
        return kept == null || kept.expiresAt() <= now() ? null : kept;
    }

    private @Nullable Kept open(@Nullable SealedEntry entry) {
        if (entry == null) {
            return null;
        }
        String place = place(entry.kind(), entry.key(), entry.owner(), entry.expiresAt());
        String content = sealer.open(entry.sealed(), place);
        return content == null ? null : new Kept(entry.key(), content, entry.expiresAt());
    }

    private String hash(String purpose, String value) {
        byte[] digest = hashing.of((purpose + '\0' + value).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    /** All of a row but its content, so that nobody can move it, give it to another or prolong it. */
    private static String place(String kind, String key, String owner, long expiresAt) {
        return kind + ' ' + key + ' ' + owner + ' ' + expiresAt;
    }
}
