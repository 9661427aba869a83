// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What is wrong with a store that could not do what it was asked, as far as it says so. */
public enum StorageFault {
    /** It cannot be reached, or does not answer, or refuses without a reason that is known here. */
    UNAVAILABLE,
    /** There is no room left. */
    FULL,
    /** It takes no writes. */
    READ_ONLY,
    /** What it keeps cannot be read or written: the disk fails, or the data is damaged. */
    DAMAGED,
    /** It does not let this user in, or not do this. */
    DENIED;

    private static final int DEEPEST_CAUSE = 10;

    /** What the first exception among the causes says that is a database's own. */
    static StorageFault of(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof SQLException e) {
                StorageFault fault = e.getSQLState() == null ? ofSqlite(e.getErrorCode()) : ofState(e.getSQLState());
                if (fault != UNAVAILABLE) {
                    return fault;
                }
            }
            cause = cause.getCause();
        }
        return UNAVAILABLE;
    }

    private static StorageFault ofState(String state) {
        return switch (state) {
            case "53100" -> FULL;
            case "25006" -> READ_ONLY;
            case "58030", "XX001", "XX002" -> DAMAGED;
            case "28000", "28P01", "42501" -> DENIED;
            default -> UNAVAILABLE;
        };
    }

    /** The lowest byte of SQLite's codes is the kind, the others say more of it. */
    private static StorageFault ofSqlite(int code) {
        return switch (code & 0xff) {
            case 13 -> FULL;
            case 8 -> READ_ONLY;
            case 10, 11, 26 -> DAMAGED;
            case 3, 23 -> DENIED;
            default -> UNAVAILABLE;
        };
    }
}
