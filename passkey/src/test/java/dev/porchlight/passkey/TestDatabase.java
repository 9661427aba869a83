// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.server.MariaDbServer;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PgBouncerServer;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The real databases for tests. Each call of {@link #fresh} creates an empty one with its own pool. */
public enum TestDatabase {
    SQLITE {
        @Override
        public HikariDataSource fresh() {
            Path file = FastDirectory.fresh().resolve("test.db");
            return pool("jdbc:sqlite:" + file + "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=20000", 4);
        }
    },
    POSTGRES {
        @Override
        public HikariDataSource fresh() {
            try {
                return pool(PostgresServer.freshDatabase(), 16);
            } catch (MissingProgramException e) {
                return missing(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    },
    /** PostgreSQL behind PgBouncer in transaction pooling mode. */
    PGBOUNCER {
        @Override
        public HikariDataSource fresh() {
            try {
                return pool(PgBouncerServer.freshDatabase() + "&prepareThreshold=0", 16);
            } catch (MissingProgramException e) {
                return missing(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    },
    MARIADB {
        @Override
        public HikariDataSource fresh() {
            try {
                return pool(MariaDbServer.freshDatabase(), 16);
            } catch (MissingProgramException e) {
                return missing(e.getMessage());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    };

    public abstract HikariDataSource fresh();

    /** Returns the migration text for this database. */
    public String migration() {
        return this == MARIADB ? Migration.WEBAUTHN_MIGRATION_SQL_MYSQL : Migration.WEBAUTHN_MIGRATION_SQL;
    }

    private static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    /** Skips the test if a server is missing, except in CI, where that is a failure. */
    private static HikariDataSource missing(String why) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(why);
        }
        System.err.println("Skipped: " + why);
        return Assumptions.abort(why);
    }
}
