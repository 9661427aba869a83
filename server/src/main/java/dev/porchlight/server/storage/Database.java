// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.porchlight.passkey.store.Sql;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool, and the only place that knows Hikari. Thread-safe.
 *
 * <p>PostgreSQL gets a pool with a bound on every wait: for a connection, for the server's answer, for a statement.
 *
 * <p>SQLite has one writer. Writes queue for it fairly in this process, where several would poll for the file's lock, and
 * those that wait together share a commit: {@link GroupCommit}. Every commit is on the disk when it returns (write-ahead log,
 * synchronous FULL). Reads have connections of their own and wait for no writer.
 */
public final class Database implements AutoCloseable {
    private static final Duration WAIT_FOR_CONNECTION = Duration.ofSeconds(2);
    private static final Duration WAIT_FOR_ANSWER = Duration.ofSeconds(5);

    /** For SQLite: the writer's, and some to read with meanwhile. */
    private static final int CONNECTIONS_TO_A_FILE = 4;

    private final HikariDataSource pool;
    private final DatabaseUrl url;
    private final @Nullable GroupCommit writes;

    private Database(HikariDataSource pool, DatabaseUrl url) {
        this.pool = pool;
        this.url = url;
        this.writes = url.engine() == Engine.SQLITE ? new GroupCommit(pool, WAIT_FOR_CONNECTION) : null;
    }

    /** Makes the pool without waiting for the database: whether it is there is for the readiness check to say. */
    public static Database open(DatabaseUrl url, int maxConnections) {
        var config = new HikariConfig();
        config.setPoolName("porchlight");
        config.setJdbcUrl(url.jdbc());
        config.setConnectionTimeout(WAIT_FOR_CONNECTION.toMillis());
        config.setValidationTimeout(1_000);
        config.setInitializationFailTimeout(-1);
        if (url.engine() == Engine.SQLITE) {
            sqlite(config);
        } else {
            postgres(config, url, maxConnections);
        }
        return new Database(new HikariDataSource(config), url);
    }

    /** Statements on this database; the watcher hears of each. */
    public Sql sql(Sql.Watcher watcher) {
        return writes == null ? new Sql(pool, watcher) : new Sql(writes, watcher);
    }

    /** The same, and nobody hears of them. */
    public Sql sql() {
        return sql(statement -> () -> {});
    }

    /** For making tables. Statements that go past {@link #sql} share no commits, and may meet a writer that is busy. */
    public DataSource dataSource() {
        return pool;
    }

    public DatabaseUrl url() {
        return url;
    }

    /** Connections by state, for {@code db_pool_connections}. */
    public PoolState poolState() {
        HikariPoolMXBean pool = this.pool.getHikariPoolMXBean();
        return pool == null
                ? new PoolState(0, 0, 0)
                : new PoolState(
                        pool.getIdleConnections(), pool.getActiveConnections(), pool.getThreadsAwaitingConnection());
    }

    /** How many connections are idle, how many in use, and how many threads wait for one. */
    public record PoolState(int idle, int active, int waiting) {}

    @Override
    public void close() {
        if (writes != null) {
            writes.close();
        }
        pool.close();
    }

    private static void sqlite(HikariConfig config) {
        SqliteLibrary.load();
        config.setMaximumPoolSize(CONNECTIONS_TO_A_FILE);
        config.setMinimumIdle(1);
        config.setMaxLifetime(0); // a file does not go away
        // The first connection waits for the driver to unpack itself, however long that takes on a busy machine.
        config.setInitializationFailTimeout(0);
        config.addDataSourceProperty("journal_mode", "WAL");
        config.addDataSourceProperty("synchronous", "FULL");
        config.addDataSourceProperty("busy_timeout", Long.toString(WAIT_FOR_CONNECTION.toMillis()));
        config.addDataSourceProperty("foreign_keys", "true");
        config.addDataSourceProperty(
                "transaction_mode", "IMMEDIATE"); // waits for the lock before it reads, not in between
    }

    private static void postgres(HikariConfig config, DatabaseUrl url, int maxConnections) {
        config.setMaximumPoolSize(maxConnections);
        config.setMaxLifetime(Duration.ofMinutes(10).toMillis());
        config.setLeakDetectionThreshold(Duration.ofSeconds(20).toMillis());
        config.setUsername(url.user());
        config.setPassword(url.password());
        config.addDataSourceProperty("connectTimeout", seconds(WAIT_FOR_CONNECTION));
        config.addDataSourceProperty("socketTimeout", seconds(WAIT_FOR_ANSWER));
        config.addDataSourceProperty("loginTimeout", seconds(WAIT_FOR_CONNECTION));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("targetServerType", "primary");
        config.addDataSourceProperty("ApplicationName", "porchlight");
        config.addDataSourceProperty("options", "-c statement_timeout=4000 -c lock_timeout=2000");
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
