// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store of sealed entries: the database, or a Redis that all instances share.
 *
 * <p>Implementations are thread-safe. They throw {@link dev.porchlight.base.sql.StorageException} if unavailable. Expired
 * entries may still be returned; the caller checks the expiry.
 */
public interface SealedEntries {

    /** The maximum number of entries per kind and owner. The oldest are removed, at once or soon. */
    int PER_OWNER = 256;

    /** Stores an entry, replacing one with the same kind and key. */
    void put(SealedEntry entry);

    /** Occasionally removes the oldest entries of this one's owner beyond {@link #PER_OWNER}. */
    default void trim(SealedEntry added) {}

    @Nullable
    SealedEntry find(String kind, String key);

    /** Removes and returns an entry: of several concurrent callers on any instances, one gets it and the others get null. */
    @Nullable
    SealedEntry take(String kind, String key);

    /** The owner's entries of one kind, newest first. */
    List<SealedEntry> ofOwner(String kind, String owner);

    /** Removes the owner's entries of one kind and returns their number. */
    int removeOwner(String kind, String owner);

    /** Removes entries that expired before {@code now} and returns their number. */
    int sweep(long now);
}
