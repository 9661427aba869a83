// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where sealed entries are kept: in memory, in the database, or in a cache all instances share.
 *
 * <p>Implementations are safe for use by many threads. One that cannot answer throws
 * {@link dev.porchlight.passkey.store.StorageException}. Expired entries may still be returned; the caller judges expiry.
 */
public interface SealedEntries {

    /**
     * How many entries of one kind an owner may have. Beyond it the oldest go, at once or soon: with at most 240 options a
     * minute in one user's name it takes strangers more than a minute to push out a challenge somebody is about to answer,
     * which takes seconds.
     */
    int PER_OWNER = 256;

    /** Keeps an entry, in place of one with the same kind and key. */
    void put(SealedEntry entry);

    @Nullable
    SealedEntry find(String kind, String key);

    /** Removes an entry and returns it: of all callers at once, on all instances, one gets it and the others null. */
    @Nullable
    SealedEntry take(String kind, String key);

    /** The owner's entries of one kind, newest first. */
    List<SealedEntry> ofOwner(String kind, String owner);

    /** Removes the owner's entries of one kind and tells how many there were. */
    int removeOwner(String kind, String owner);

    /** Removes what expired before {@code now} and tells how many entries that was. */
    int sweep(long now);
}
