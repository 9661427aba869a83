// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The version of a part's tables, from {@code passkey_schema}.
 *
 * @param version the version of the tables; 0 if they do not exist
 * @param oldest the oldest version whose releases can use these tables; it lets old and new instances run side by side
 *     during a rolling upgrade
 */
public record TableVersion(int version, int oldest) {
    private static final String READ = "SELECT version, oldest FROM passkey_schema WHERE part = ?";
    private static final TableVersion MISSING = new TableVersion(0, 0);

    /** Reads the version of a part's tables. The library's part is {@code passkey}. */
    public static TableVersion read(Sql sql, String part) {
        try {
            return sql.query(READ, row -> new TableVersion(row.getInt(1), row.getInt(2)), part).stream()
                    .findFirst()
                    .orElse(MISSING);
        } catch (StorageException e) {
            if (isMissingTable(e.getCause())) {
                return MISSING;
            }
            throw e;
        }
    }

    /** Returns whether a release that supports the given version can use the tables. */
    public boolean supports(int release) {
        return version == release || version > release && oldest <= release;
    }

    /** PostgreSQL, MySQL and SQLite, which has no SQL states and one error code for every invalid statement. */
    private static boolean isMissingTable(@Nullable Throwable cause) {
        return cause instanceof SQLException e
                && ("42P01".equals(e.getSQLState())
                        || "42S02".equals(e.getSQLState())
                        || e.getSQLState() == null && e.getErrorCode() == 1);
    }
}
