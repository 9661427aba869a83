// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.audit.AuditEvent;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: writes that are committed together with their audit row.
 *
 * @param <R> the result
 */
public interface Unit<R extends @Nullable Object> {

    /** Writes the unit. May be called again after a rollback. */
    R write(Connection connection) throws SQLException;

    /** Returns the audit row for this result, or null for none. */
    default @Nullable AuditEvent event(R result) {
        return null;
    }
}
