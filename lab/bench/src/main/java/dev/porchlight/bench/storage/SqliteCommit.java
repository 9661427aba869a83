// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Eight threads that repeatedly and durably update one of a thousand rows. */
public class SqliteCommit {
    private static final int THREADS = 8;
    private static final int EACH = 125;
    private static final int ROWS = 1_000;

    /** A separate file on the disk for temporary files. */
    @State(Scope.Thread)
    public static class Disk {
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private Path directory = Path.of("");
        private String jdbc = "";

        @Setup
        public void make() throws IOException {
            directory = Files.createTempDirectory("porchlight-bench");
            jdbc = "jdbc:sqlite:" + directory.resolve("bench.db");
            try (Database database = Database.open(DatabaseUrl.parse(jdbc), 1)) {
                Sql sql = database.sql();
                sql.update("CREATE TABLE credential (id INTEGER PRIMARY KEY, sign_count INTEGER NOT NULL)");
                sql.update("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < " + (ROWS - 1)
                        + ") INSERT INTO credential SELECT i, 0 FROM n");
            }
        }

        @TearDown
        public void remove() throws IOException {
            threads.shutdownNow();
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }

        long update(Sql sql) throws InterruptedException, ExecutionException {
            List<Callable<Long>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                work.add(() -> {
                    long rows = 0;
                    for (int i = 0; i < EACH; i++) {
                        int row = ThreadLocalRandom.current().nextInt(ROWS);
                        rows += sql.update("UPDATE credential SET sign_count = sign_count + 1 WHERE id = ?", row);
                    }
                    return rows;
                });
            }
            long rows = 0;
            for (Future<Long> done : threads.invokeAll(work)) {
                rows += done.get();
            }
            if (rows != THREADS * EACH) {
                throw new IllegalStateException("updates were lost");
            }
            return rows;
        }
    }

    /** One connection shared by all writers. */
    @State(Scope.Thread)
    public static class TakingTurns {
        private @Nullable HikariDataSource pool;

        @Setup
        public void open(Disk disk) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(disk.jdbc);
            config.setMaximumPoolSize(1);
            config.addDataSourceProperty("journal_mode", "WAL");
            config.addDataSourceProperty("synchronous", "FULL");
            pool = new HikariDataSource(config);
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(pool).close();
        }
    }

    /** The database as opened by the service. */
    @State(Scope.Thread)
    public static class Grouped {
        private @Nullable Database database;

        @Setup
        public void open(Disk disk) {
            database = Database.open(DatabaseUrl.parse(disk.jdbc), 1);
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(database).close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(THREADS * EACH)
    public long oneByOne(TakingTurns state, Disk disk) throws InterruptedException, ExecutionException {
        return disk.update(new Sql(Objects.requireNonNull(state.pool)));
    }

    @Benchmark
    @OperationsPerInvocation(THREADS * EACH)
    public long ours(Grouped state, Disk disk) throws InterruptedException, ExecutionException {
        return disk.update(Objects.requireNonNull(state.database).sql());
    }
}
