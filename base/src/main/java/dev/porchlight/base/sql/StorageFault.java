// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The kinds of failures of a store, as far as it reports them. */
public enum StorageFault {
    /** It is unreachable, does not respond, or fails for an unknown reason. */
    UNAVAILABLE,
    /** It has no space left. */
    FULL,
    /** It accepts no writes. */
    READ_ONLY,
    /** Its disk fails, or its data is damaged. */
    DAMAGED,
    /** The database user may not connect, or may not do this. */
    DENIED;

    private static final int DEEPEST_CAUSE = 10;

    /** Classifies the first database error in the chain of causes. */
    public static StorageFault of(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof SQLException e) {
                StorageFault fault = e.getSQLState() == null
                        ? ofSqlite(e.getErrorCode())
                        : ofState(e.getSQLState(), e.getErrorCode());
                if (fault != UNAVAILABLE) {
                    return fault;
                }
            }
            cause = cause.getCause();
        }
        return UNAVAILABLE;
    }

    private static StorageFault ofState(String state, int code) {
        return switch (state) {
            case "53100" -> FULL;
            case "25006" -> READ_ONLY;
            case "58030", "XX001", "XX002" -> DAMAGED;
            case "28000", "28P01", "42501" -> DENIED;
            default -> ofMySql(code);
        };
    }

    /** MySQL uses general SQL states, so the error code decides. PostgreSQL's error code is always 0. */
    private static StorageFault ofMySql(int code) {
        return switch (code) {
            case 1021, 1114 -> FULL;
            case 1290, 1836 -> READ_ONLY;
            case 1034, 1194, 1195, 1712 -> DAMAGED;
            case 1044, 1142, 1143, 1227 -> DENIED;
            default -> UNAVAILABLE;
        };
    }

    /** The lowest byte of a SQLite error code is the primary code. */
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
