// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where sealed entries are kept: in the database, or in a Redis that all instances share.
 *
 * <p>Implementations are safe for use by many threads. One that cannot answer throws
 * {@link dev.porchlight.base.sql.StorageException}. Expired entries may still be returned; the caller judges expiry.
 */
public interface SealedEntries {

    /** How many entries of one kind an owner may have. Beyond it the oldest go, at once or soon. */
    int PER_OWNER = 256;

    /** Keeps an entry, in place of one with the same kind and key. */
    void put(SealedEntry entry);

    /** Removes the oldest entries of this one's owner beyond {@link #PER_OWNER}, now and then. */
    default void trim(SealedEntry added) {}

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
