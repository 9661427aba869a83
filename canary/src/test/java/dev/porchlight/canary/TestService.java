// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.files.FastDirectory;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The service in this process, on a free port and an empty SQLite database, and the command line of a canary for it. */
final class TestService implements AutoCloseable {
    private static final String TOKEN = UUID.randomUUID().toString();

    private final Path directory = FastDirectory.fresh();
    private final String origin;
    private final App app;

    /** Starts it; variables come in pairs of name and value. */
    TestService(String... variables) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "PORT", "0",
                "DATA_DIR", directory.toString(),
                "RP_ORIGIN", "http://localhost",
                "ADMIN_TOKEN", TOKEN,
                "SESSION_SECRET", UUID.randomUUID().toString(),
                "RATE_LIMIT_PER_MINUTE", "0",
                "SHUTDOWN_TIMEOUT_MS", "0"));
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        origin = all.get("RP_ORIGIN");
        app = App.start(
                Config.read(Patience.variables(all)),
                LogWriter.to(OutputStream.nullOutputStream()),
                false,
                routes -> {});
    }

    /** Settings for it, with further options. */
    CanarySettings settings(String... more) {
        return settings(TOKEN, List.of(more));
    }

    CanarySettings settings(String adminToken, List<String> more) {
        String scheme = app.url().replaceFirst(":.*", "");
        List<String> arguments = new ArrayList<>(List.of(app.url(), "--origin", origin, "--port", "0"));
        arguments.addAll(List.of("--admin-url", scheme + "://localhost:" + app.managementPort()));
        arguments.addAll(more);
        return CanarySettings.parse(arguments, Map.of("ADMIN_TOKEN", adminToken));
    }

    /** Runs a statement on its database. */
    void update(String sql) throws SQLException {
        try (Connection database = open();
                Statement statement = database.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Counts the rows of a table, perhaps with a condition. */
    int count(String table) throws SQLException {
        try (Connection database = open();
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getInt(1);
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
    }

    @Override
    public void close() {
        app.close();
    }
}
