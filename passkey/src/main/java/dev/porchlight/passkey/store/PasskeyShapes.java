// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The visible shapes of the stored passkeys, so that decoys look the same, and the shared table that decoys are drawn from.
 * Implementations must be thread-safe and throw a {@link StorageException} on failure.
 */
public interface PasskeyShapes {
    /**
     * The visible properties of a passkey, except for its random id: those in login options, and the time that its kind of
     * key takes to verify a signature.
     *
     * @param idBytes the length of its id
     * @param transports the transports reported at registration
     * @param ofUser the number of passkeys of its user
     * @param algorithm the algorithm of its key
     */
    record Shape(int idBytes, List<String> transports, int ofUser, CredentialAlgorithm algorithm) {
        public Shape {
            transports = List.copyOf(transports);
        }
    }

    /**
     * Returns the shapes of all stored passkeys if there are at most {@code most}, otherwise of about that many, which follow the
     * given ids in order. The same ids give the same sample while the passkeys do not change.
     */
    List<Shape> sample(List<String> startingIds, int most);

    /** Returns the table that was saved last, or null. */
    @Nullable
    String saved();

    /** Saves a table unless another instance has saved one since {@code expected} was read; null stands for no table. */
    boolean save(@Nullable String expected, String next);

    /** Returns the ids of passkeys that an import found to have rare shapes, which a sample may miss. */
    default List<String> imported() {
        return List.of();
    }

    /** Forgets these {@link #imported} ids, because a table has their shapes now. */
    default void adopted(List<String> ids) {}
}
