// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The version of a part's tables, from {@code passkey_schema}.
 *
 * @param version the version of the tables; 0 if they do not exist
 * @param oldest the oldest version whose releases can use these tables; it lets old and new instances run side by side
 *     during a rolling upgrade
 */
public record TableVersion(int version, int oldest) {
    /** The suffix of the row that holds the oldest version. */
    private static final String OLDEST = "-oldest";

    private static final String ROWS = "SELECT part, version FROM passkey_schema WHERE part IN (?, ?)";

    /** Reads the version of a part's tables. The library's part is {@code passkey}. */
    public static TableVersion read(Sql sql, String part) {
        try {
            Map<String, Integer> rows =
                    sql.query(ROWS, row -> Map.entry(row.getString(1), row.getInt(2)), part, part + OLDEST).stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            int version = rows.getOrDefault(part, 0);
            return new TableVersion(version, rows.getOrDefault(part + OLDEST, version));
        } catch (StorageException e) {
            if (isMissingTable(e.getCause())) {
                return new TableVersion(0, 0);
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
