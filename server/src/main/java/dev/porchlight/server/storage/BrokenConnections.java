// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Which connections the pool must not hand out again, besides those that it finds out itself: to a PostgreSQL that has
 * become a standby, since another server takes the writes now; and to an SQLite whose file cannot be read or written, since
 * the file may be put right, or replaced, and is then opened anew.
 */
final class BrokenConnections implements SQLExceptionOverride {
    private static final String READ_ONLY = "25006";

    @java.lang.Override // Hikari has an Override too
    public Override adjudicate(SQLException e) {
        boolean broken = e.getSQLState() == null ? isBrokenFile(e.getErrorCode()) : READ_ONLY.equals(e.getSQLState());
        return broken ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }

    /** SQLite's read-only, I/O error, corrupt, cannot open, and not a database. */
    private static boolean isBrokenFile(int code) {
        return switch (code & 0xff) {
            case 8, 10, 11, 14, 26 -> true;
            default -> false;
        };
    }
}
