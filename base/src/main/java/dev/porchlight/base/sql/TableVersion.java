// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The version of some tables, as {@code passkey_schema} has it.
 *
 * @param version of the tables; 0 if there are none
 * @param oldest of the versions whose releases may work with these tables: newer tables that only have more in them serve an
 *     older release as well, which so runs on, and can be restarted, while one instance after another is upgraded
 */
public record TableVersion(int version, int oldest) {
    /** What the part of the row is called that has the oldest version, after the name of the part itself. */
    private static final String OLDEST = "-oldest";

    private static final String ROWS = "SELECT part, version FROM passkey_schema WHERE part IN (?, ?)";

    /** Reads the version of a part, which is {@code passkey} for the tables of this library. */
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

    /** Whether a release that knows this version can work with the tables. */
    public boolean suits(int known) {
        return version == known || version > known && oldest <= known;
    }

    /** In PostgreSQL's words, or in SQLite's, which has no states and one code for all that is wrong with a statement. */
    private static boolean isMissingTable(@Nullable Throwable cause) {
        return cause instanceof SQLException e
                && ("42P01".equals(e.getSQLState()) || e.getSQLState() == null && e.getErrorCode() == 1);
    }
}
