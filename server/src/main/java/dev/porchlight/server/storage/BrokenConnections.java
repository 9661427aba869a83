// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.SQLExceptionOverride;
import dev.porchlight.base.sql.StorageFault;
import java.sql.SQLException;

/**
 * Decides which connections the pool evicts in addition to its own rules: to a PostgreSQL server that has become a standby,
 * because another server is the primary now, and to an SQLite file that cannot be read or written, because the file may be
 * repaired or replaced and must be reopened.
 */
final class BrokenConnections implements SQLExceptionOverride {
    private static final int SQLITE_CANNOT_OPEN = 14;

    @java.lang.Override // Hikari also has an Override
    public Override adjudicate(SQLException e) {
        StorageFault fault = StorageFault.of(e);
        boolean broken = fault == StorageFault.READ_ONLY
                || e.getSQLState() == null
                        && (fault == StorageFault.DAMAGED || (e.getErrorCode() & 0xff) == SQLITE_CANNOT_OPEN);
        return broken ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
