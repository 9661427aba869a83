// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores state between requests (sessions, enrollments) so that a reader of the storage learns nothing usable: keys and owners
 * are keyed hashes, contents are sealed, all under keys derived from one secret. Thread-safe.
 *
 * <p>Expiry is checked here, so the table may return expired entries.
 */
public final class SealedEntries {
    private static final int ID_BYTES = 32;

    private final SqlSealedEntries table;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Sealer sealer;
    /** With the current secret, then with the previous one, if any. */
    private final List<KeyedHash> hashing;

    /** An entry with its storage key and expiry in milliseconds. */
    record StoredEntry(String key, String content, long expiresAt) {}

    public SealedEntries(DerivedKeys secrets, SqlSealedEntries table, InstantSource clock, SecureRandom random) {
        this.table = table;
        this.clock = clock;
        this.random = random;
        this.sealer = new Sealer(secrets.allForPurpose("seal entries"), random);
        this.hashing = secrets.allForPurpose("hash keys and owners").stream()
                .map(KeyedHash::new)
                .toList();
    }

    /** A new unguessable id, in base64url. */
    String newId() {
        return Bytes.random(random, ID_BYTES).base64Url();
    }

    long now() {
        return clock.millis();
    }

    /** Seals an entry for the caller to store. */
    SealedEntry seal(String kind, String id, String owner, String content, long expiresAt) {
        String key = hash(kind, id);
        String ownerHash = hash("owner", owner);
        String sealed = sealer.seal(content, place(kind, key, ownerHash, expiresAt));
        return new SealedEntry(kind, key, ownerHash, sealed, expiresAt);
    }

    SqlSealedEntries table() {
        return table;
    }

    /** The storage key of the entry with this id, which may predate the current secret. */
    String keyOf(String kind, String id) {
        return hashes(kind, id).stream()
                .skip(1)
                .filter(key -> table.find(kind, key) != null)
                .findFirst()
                .orElseGet(() -> hash(kind, id));
    }

    /** The keyed hashes of an owner, under the current and the previous secret. */
    private List<String> ownerHashes(String owner) {
        return hashes("owner", owner);
    }

    @Nullable
    StoredEntry find(String kind, String id) {
        for (String key : hashes(kind, id)) {
            SealedEntry found = table.find(kind, key);
            if (found != null) {
                return open(found);
            }
        }
        return null;
    }

    /** The entry with this storage key, within a transaction of the caller; null if it has expired. */
    @Nullable
    StoredEntry find(Connection connection, String kind, String key) throws SQLException {
        SealedEntry found = SqlSealedEntries.find(connection, kind, key);
        return found == null ? null : open(found);
    }

    /** Replaces the content of an entry, if it exists, within a transaction of the caller. */
    void replace(Connection connection, String kind, String key, String content) throws SQLException {
        SealedEntry found = SqlSealedEntries.find(connection, kind, key);
        if (found != null) {
            String sealed = sealer.seal(content, place(found));
            SqlSealedEntries.put(
                    connection, new SealedEntry(kind, key, found.owner(), sealed, found.expiresAt()), now());
        }
    }

    /** The entry with this storage key, or null. */
    @Nullable
    StoredEntry findByKey(String kind, String key) {
        SealedEntry found = table.find(kind, key);
        return found == null ? null : open(found);
    }

    /** The owner's entries within a transaction of the caller, newest first. */
    List<StoredEntry> ofOwner(Connection connection, String kind, String owner) throws SQLException {
        List<SealedEntry> found = new ArrayList<>();
        for (String hash : ownerHashes(owner)) {
            found.addAll(SqlSealedEntries.ofOwner(connection, kind, hash));
        }
        return opened(found);
    }

    /** The owner's entries, newest first. */
    List<StoredEntry> ofOwner(String kind, String owner) {
        return ownerHashes(owner).stream()
                .flatMap(hash -> opened(table.ofOwner(kind, hash)).stream())
                .toList();
    }

    /** The entries that have not expired and open. */
    private List<StoredEntry> opened(List<SealedEntry> found) {
        return found.stream().flatMap(entry -> Stream.ofNullable(open(entry))).toList();
    }

    /** Removes an entry by its {@linkplain #keyOf storage key}; false if there is none. */
    boolean remove(String kind, String key) {
        return table.take(kind, key) != null;
    }

    /** Removes the owner's entries within a transaction of the caller. */
    void removeOwner(Connection connection, String kind, String owner) throws SQLException {
        for (String hash : ownerHashes(owner)) {
            SqlSealedEntries.removeOwner(connection, kind, hash);
        }
    }

    /** Removes expired entries; called periodically. */
    public int sweep() {
        return table.sweep(now());
    }

    private @Nullable StoredEntry open(SealedEntry entry) {
        String content = entry.expiresAt() <= now() ? null : sealer.open(entry.sealed(), place(entry));
        return content == null ? null : new StoredEntry(entry.key(), content, entry.expiresAt());
    }

    private static String place(SealedEntry entry) {
        return place(entry.kind(), entry.key(), entry.owner(), entry.expiresAt());
    }

    /** A keyed hash under the current secret. */
    String hash(String purpose, String value) {
        return hash(hashing.get(0), purpose, value);
    }

    private List<String> hashes(String purpose, String value) {
        return hashing.stream().map(each -> hash(each, purpose, value)).toList();
    }

    private static String hash(KeyedHash hashing, String purpose, String value) {
        return hashing.base64Of(purpose + '\0' + value);
    }

    /** The associated data of a row, which prevents moving it, changing its owner or extending it. */
    private static String place(String kind, String key, String owner, long expiresAt) {
        return kind + ' ' + key + ' ' + owner + ' ' + expiresAt;
    }
}
