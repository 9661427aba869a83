// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the stored passkeys look like from outside, so that the decoys of unknown users look the same; and the table that
 * decoys are drawn from, which all instances share. Implementations are thread-safe and throw {@link StorageException}.
 */
public interface PasskeyShapes {
    /**
     * What the options of a login show of a passkey, except for its random id.
     *
     * @param idBytes the length of its id
     * @param transports as the browser reported them at registration
     * @param ofUser how many passkeys its user has
     */
    record Shape(int idBytes, List<String> transports, int ofUser) {
        public Shape {
            transports = List.copyOf(transports);
        }
    }

    /**
     * Shapes of stored passkeys: of all if there are at most {@code most}, otherwise of about so many, which are those that
     * follow the given ids in their order. The same ids give the same sample as long as the passkeys stay the same.
     */
    List<Shape> sample(List<String> startingIds, int most);

    /** The table that was saved last, or null. */
    @Nullable
    String saved();

    /** Saves a table unless another instance has saved one since {@code expected} was read; null stands for no table. */
    boolean save(@Nullable String expected, String next);
}
