// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PgBouncerServer;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The databases that the service is tested on. */
public enum TestDatabase {
    SQLITE {
        @Override
        public String freshUrl() {
            return "jdbc:sqlite:" + FastDirectory.fresh().resolve("test.db");
        }
    },
    POSTGRES {
        @Override
        public String freshUrl() {
            try {
                return PostgresServer.freshDatabase();
            } catch (MissingProgramException e) {
                return missing(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    },
    /** PostgreSQL behind PgBouncer in transaction pooling mode, otherwise as configured by Debian. */
    PGBOUNCER {
        @Override
        public String freshUrl() {
            try {
                return PgBouncerServer.freshDatabase();
            } catch (MissingProgramException e) {
                return missing(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    };

    /** The JDBC URL of an empty database. */
    public abstract String freshUrl();

    /** A new database with all tables. The caller closes it. */
    public Database open(int connections) {
        Database database = open(freshUrl(), connections);
        database.migrate(Patience.LIMIT);
        return database;
    }

    /** A database that may have been used before, without timeouts that a busy machine could reach. */
    public static Database open(String url, int connections) {
        return Database.open(DatabaseUrl.parse(url), connections, Patience.LIMIT);
    }

    /** Whether a transaction on this PostgreSQL database waits for another one. */
    public static boolean isWaiting(Sql sql) {
        return !sql.query(
                        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
                        row -> row.getInt(1))
                .isEmpty();
    }

    /** Skips on developer machines. Where every test must run, a missing server is a failure. */
    private static String missing(String why) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(why);
        }
        System.err.println("Skipped: " + why);
        return Assumptions.abort(why);
    }
}
