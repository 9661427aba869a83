// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Launch;
import dev.porchlight.server.storage.DatabaseUrl;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Direct access to the SQLite database of a running service. */
public final class EmbeddedDatabase {
    private EmbeddedDatabase() {}

    /** The first column of all rows. */
    public static List<String> column(Launch launch, String query) throws SQLException {
        try (var database = DatabaseUrl.sqliteIn(launch.data()).connect();
                Statement statement = database.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (found.next()) {
                values.add(found.getString(1));
            }
            return values;
        }
    }

    /** The number in a single-row, single-column result. */
    public static long number(Launch launch, String query) throws SQLException {
        return Long.parseLong(column(launch, query).get(0));
    }

    /** Runs statements without results. */
    public static void update(Launch launch, Iterable<String> statements) throws SQLException {
        try (var database = DatabaseUrl.sqliteIn(launch.data()).connect();
                Statement statement = database.createStatement()) {
            for (String one : statements) {
                statement.executeUpdate(one);
            }
        }
    }
}
