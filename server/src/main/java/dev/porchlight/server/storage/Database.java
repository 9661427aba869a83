// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool, and the only class that uses Hikari. Thread-safe.
 *
 * <p>For PostgreSQL every wait has a timeout: for a connection, for a response, for a statement, and for their sum per
 * request. Parameters in {@code DATABASE_URL} override these settings. A connection pooler is supported:
 * {@link PostgresConnections}.
 *
 * <p>Units of work of concurrent requests share a commit: {@link Committer}. For SQLite, which allows one writer, all other
 * writes use it too and queue fairly, instead of polling for the file's lock. Every commit is on disk when it returns
 * (write-ahead log, synchronous FULL). Reads use other connections and do not wait for writes.
 */
public final class Database implements AutoCloseable {
    /** The time to wait at startup for a database that is starting, too. */
    public static final Duration START_TIMEOUT = Duration.ofSeconds(3);

    /** For SQLite: one connection for the writer, the others for concurrent reads. */
    private static final int SQLITE_CONNECTIONS = 4;

    private final HikariDataSource pool;
    private final DatabaseUrl url;
    private final @Nullable PostgresConnections connections;
    private final Duration timeout;
    private final Committer committer;

    private Database(
            HikariDataSource pool, DatabaseUrl url, @Nullable PostgresConnections connections, Duration timeout) {
        this.pool = pool;
        this.connections = connections;
        this.url = url;
        this.timeout = timeout;
        BatchWriter batches = url.engine() == Engine.SQLITE ? new SqliteWriter() : new PostgresWriter();
        this.committer = new Committer(pool, pool::evictConnection, timeout, batches);
    }

    /** Like {@link #open(DatabaseUrl, int, Duration)}, with the default timeout. */
    public static Database open(DatabaseUrl url, int maxConnections) {
        return open(url, maxConnections, RequestDeadline.DEFAULT);
    }

    /**
     * Creates the pool without connecting; the readiness check reports whether the database is available.
     *
     * @param timeout for a response, or for SQLite's lock, which writers hold while the disk syncs; half of it for a connection
     */
    public static Database open(DatabaseUrl url, int maxConnections, Duration timeout) {
        var config = new HikariConfig();
        config.setPoolName("porchlight");
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        config.setExceptionOverride(new BrokenConnections());
        if (url.engine() == Engine.POSTGRESQL) {
            PostgresConnections connections = postgres(config, url, maxConnections, timeout);
            return new Database(new DeadlinePool(config, timeout), url, connections, timeout);
        }
        url.file().ifPresent(OwnerOnly::prepare);
        sqlite(config, url, timeout);
        requireUndamaged(config.getDataSource(), url);
        try {
            return new Database(new DeadlinePool(config, Duration.ZERO), url, null, timeout);
        } catch (RuntimeException e) { // from the pool, if an existing file cannot be opened
            throw Remedy.with(url, new StorageException("the file cannot be opened", e));
        }
    }

    /** Connects once without the pool, which would try again for seconds, although waiting does not repair a file. */
    private static void requireUndamaged(DataSource file, DatabaseUrl url) {
        try {
            file.getConnection().close();
        } catch (SQLException e) {
            StorageException failure = new StorageException("the file cannot be opened", e);
            if (failure.fault() != StorageFault.UNAVAILABLE) {
                throw Remedy.with(url, failure);
            }
        }
    }

    /**
     * Creates or migrates the tables.
     *
     * @param timeout how long to wait for a database that is not available yet
     * @throws StorageException if the database cannot be used; the message has the reason and a fix in one line
     */
    public void migrate(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                ServerTables.migrate(pool);
                return;
            } catch (StorageException e) {
                boolean mayBecomeAvailable = url.engine() == Engine.POSTGRESQL
                        && e.getCause() != null // otherwise the tables are incompatible
                        && e.fault() == StorageFault.UNAVAILABLE;
                if (!mayBecomeAvailable || System.nanoTime() - deadline >= 0) {
                    throw Remedy.with(url, e);
                }
            }
        }
    }

    /** Statements on this database, which count as waits of their request; the listener is notified of each. */
    public Sql sql(Sql.StatementListener listener) {
        Sql.StatementListener both = countingWaits(listener);
        return url.engine() == Engine.SQLITE ? new Sql(committer, both) : new Sql(pool, both);
    }

    /**
     * The passkeys in this database.
     *
     * @param limit the maximum number of passkeys read per user
     * @param unreadable is notified of rows that cannot be read
     */
    public CredentialStore passkeys(int limit, Consumer<UnreadableRow> unreadable, Sql.StatementListener listener) {
        return url.engine() == Engine.SQLITE
                ? new SqlCredentialStore(sql(listener), unreadable)
                : new CombinedReads(sql(), sql(listener), unreadable, limit, countingWaits(listener));
    }

    /** Finds a passkey and its user's access by the passkey's id; null if it is not registered. */
    public Function<String, @Nullable PasskeyAccess> passkeyAccess(Sql.StatementListener listener) {
        if (url.engine() == Engine.SQLITE) {
            Sql sql = sql(listener);
            return id -> PasskeyAccess.read(sql, id);
        }
        Sql unobserved = sql();
        var byId = new Combiner<String, PasskeyAccess>(
                countingWaits(listener), ids -> PasskeyAccess.readAll(unobserved, ids));
        return byId::get;
    }

    /** Commits units of work with audit rows in this trail; the listener is notified of each. */
    public Units units(AuditTrail trail, Sql.StatementListener listener) {
        return new Units(committer, trail, countingWaits(listener));
    }

    private static Sql.StatementListener countingWaits(Sql.StatementListener listener) {
        return new Sql.StatementListener() {
            @Override
            public Runnable begin(String text) {
                Runnable waited = RequestDeadline.waiting();
                Runnable ended = listener.begin(text);
                return () -> {
                    ended.run();
                    waited.run();
                };
            }

            @Override
            public void retried(String text, int attempt) {
                listener.retried(text, attempt);
            }
        };
    }

    public Sql sql() {
        return sql(statement -> () -> {});
    }

    /** Empties SQLite's write-ahead log, which contains earlier versions of rows. False if a reader still needs it. */
    public boolean emptyLog() {
        if (url.engine() != Engine.SQLITE) {
            return true;
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet busy = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            return busy.next() && busy.getInt(1) == 0;
        } catch (SQLException e) {
            throw new StorageException("empty the write-ahead log", e);
        }
    }

    public TableMaintenance maintenance(Clock clock) {
        return new TableMaintenance(sql(), url.engine(), clock);
    }

    /** Advice for operators after the migration, one sentence each. */
    public List<String> advice() {
        List<String> advice = new ArrayList<>();
        url.file().map(NewFile::directoryOf).flatMap(OwnerOnly::advice).ifPresent(advice::add);
        if (connections != null) {
            connections.advice().ifPresent(advice::add);
            for (PartitionedTable table : PartitionedTable.values()) {
                Partitioning.advice(sql(), table).ifPresent(advice::add);
            }
        }
        return advice;
    }

    public boolean isThroughPooler() {
        return connections != null && connections.isThroughPooler();
    }

    /** For creating tables. Statements that bypass {@link #sql} share no commits and may find SQLite locked. */
    public DataSource dataSource() {
        return pool;
    }

    public DatabaseUrl url() {
        return url;
    }

    public Duration timeout() {
        return timeout;
    }

    public PoolState poolState() {
        HikariPoolMXBean counts = pool.getHikariPoolMXBean();
        return counts == null
                ? new PoolState(0, 0, 0)
                : new PoolState(
                        counts.getIdleConnections(),
                        counts.getActiveConnections(),
                        counts.getThreadsAwaitingConnection());
    }

    @Override
    public void close() {
        committer.close();
        pool.close();
    }

    private static void sqlite(HikariConfig config, DatabaseUrl url, Duration timeout) {
        SqliteLibrary.load();
        config.setConnectionTimeout(timeout.toMillis());
        config.setMaximumPoolSize(SQLITE_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setMaxLifetime(0); // connections to a file do not go stale
        // The first connection waits for the driver to unpack itself, which may be slow on a busy machine.
        config.setInitializationFailTimeout(0);
        var properties = new Properties();
        properties.setProperty("journal_mode", "WAL");
        properties.setProperty("synchronous", "FULL");
        properties.setProperty("busy_timeout", Long.toString(timeout.toMillis()));
        properties.setProperty("foreign_keys", "true");
        properties.setProperty(
                "secure_delete", "true"); // overwrites what is deleted, so that no erased user stays in the file
        properties.setProperty("transaction_mode", "IMMEDIATE"); // locks before the first read, not in between
        // The driver would run another query after each insert.
        properties.setProperty("jdbc.get_generated_keys", "false");
        config.setDataSource(StatementCache.of(new DriverDataSource(url.jdbc(), null, properties, null, null)));
    }

    private static PostgresConnections postgres(
            HikariConfig config, DatabaseUrl url, int maxConnections, Duration timeout) {
        config.setConnectionTimeout(timeout.toMillis() / 2);
        config.setMaximumPoolSize(maxConnections);
        config.setMaxLifetime(Duration.ofMinutes(10).toMillis());
        config.setKeepaliveTime(Duration.ofSeconds(30).toMillis());
        var connections = new PostgresConnections(url, timeout);
        config.setDataSource(connections.dataSource());
        return connections;
    }
}
