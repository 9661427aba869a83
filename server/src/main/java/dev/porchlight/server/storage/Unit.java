// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.audit.AuditEvent;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Something to write as a whole, with its audit row: a value that says what to write and what a result means.
 *
 * @param <R> what came of it
 */
public interface Unit<R extends @Nullable Object> {

    /** Writes. Perhaps called more than once; what was written before is undone by then. */
    R write(Connection connection) throws SQLException;

    /** The audit row that goes with this result, or null if there is none. */
    default @Nullable AuditEvent event(R result) {
        return null;
    }
}
