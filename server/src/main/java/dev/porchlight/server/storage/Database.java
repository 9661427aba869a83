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
 * The connection pool, and the only place that knows Hikari. Thread-safe.
 *
 * <p>PostgreSQL gets a pool with a bound on every wait: for a connection, for the server's answer, for a statement, and on
 * their sum for a request. Parameters in {@code DATABASE_URL} win over what is set here. It may be behind a connection
 * pooler: {@link PostgresConnections}.
 *
 * <p>Units of work of concurrent requests share a commit: {@link Committer}. SQLite has one writer, so there all other
 * writes go the same way, and queue fairly in this process where several would poll for the file's lock. Every commit is on
 * the disk when it returns (write-ahead log, synchronous FULL). Reads have connections of their own and wait for no writer.
 */
public final class Database implements AutoCloseable {
    /** For a new connection to be let in, which takes several answers of the server; nobody waits as long as that. */
    private static final Duration LOGIN = Duration.ofSeconds(5);

    /** For a database that starts together with us, or on a machine that has just come up. */
    public static final Duration START = Duration.ofSeconds(3);

    /** For SQLite's, which writers hold while the disk works. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(2);

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration WAIT_FOR_ANSWER = RequestDeadline.LIMIT;

    /** For SQLite: the writer's, and some to read with meanwhile. */
    private static final int CONNECTIONS_TO_A_FILE = 4;

    private final HikariDataSource pool;
    private final DatabaseUrl url;
    private final @Nullable PostgresConnections connections;
    private final Committer committer;

    private Database(HikariDataSource pool, DatabaseUrl url, @Nullable PostgresConnections connections) {
        this.pool = pool;
        this.connections = connections;
        this.url = url;
        BatchWriter batches = url.engine() == Engine.SQLITE ? new SqliteWriter() : new PostgresWriter();
        this.committer = new Committer(pool, pool::evictConnection, LONG_WAIT, batches);
    }

    /** Makes the pool without waiting for the database: whether it is there is for the readiness check to say. */
    public static Database open(DatabaseUrl url, int maxConnections) {
        var config = new HikariConfig();
        config.setPoolName("porchlight");
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        config.setExceptionOverride(new BrokenConnections());
        if (url.engine() == Engine.POSTGRESQL) {
            PostgresConnections connections = postgres(config, url, maxConnections);
            return new Database(new PatientPool(config, WAIT_FOR_ANSWER), url, connections);
        }
        url.file().ifPresent(OwnerOnly::prepare);
        sqlite(config, url);
        try {
            return new Database(new PatientPool(config, Duration.ZERO), url, null);
        } catch (RuntimeException e) { // the pool's own, of a file that is there and cannot be opened
            throw Remedy.with(url, new StorageException("the file cannot be opened", e));
        }
    }

    /**
     * Makes the tables, or finds that they are there.
     *
     * @param patience for a database that does not answer yet: it may start together with us
     * @throws StorageException if the database cannot be used, in one line with what to do
     */
    public void migrate(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                ServerTables.migrate(pool);
                return;
            } catch (StorageException e) {
                boolean mayCome = url.engine() == Engine.POSTGRESQL
                        && e.getCause() != null // without one it is ours: the tables do not suit
                        && e.fault() == StorageFault.UNAVAILABLE;
                if (!mayCome || System.nanoTime() - deadline >= 0) {
                    throw Remedy.with(url, e);
                }
            }
        }
    }

    /** Statements on this database, which count as waits of the request they are run for; the watcher hears of each. */
    public Sql sql(Sql.StatementListener watcher) {
        Sql.StatementListener both = waiting(watcher);
        return url.engine() == Engine.SQLITE ? new Sql(committer, both) : new Sql(pool, both);
    }

    /**
     * The passkeys in this database.
     *
     * @param limit how many passkeys of a user are asked for at most
     * @param unreadable hears of rows that cannot be read
     */
    public CredentialStore passkeys(int limit, Consumer<UnreadableRow> unreadable, Sql.StatementListener watcher) {
        return url.engine() == Engine.SQLITE
                ? new SqlCredentialStore(sql(watcher), unreadable)
                : new CombinedReads(
                        new SqlCredentialStore(sql(), unreadable),
                        new SqlCredentialStore(sql(watcher), unreadable),
                        limit,
                        waiting(watcher));
    }

    /** Finds a passkey and the access of its user by the passkey's id; null if none is registered. */
    public Function<String, @Nullable PasskeyAccess> passkeyAccess(Sql.StatementListener watcher) {
        if (url.engine() == Engine.SQLITE) {
            Sql sql = sql(watcher);
            return id -> PasskeyAccess.read(sql, id);
        }
        Sql unwatched = sql();
        var byId = new Combiner<String, PasskeyAccess>(waiting(watcher), ids -> PasskeyAccess.readAll(unwatched, ids));
        return byId::get;
    }

    /** Where units of work are committed, with audit rows in this trail; the watcher hears of each. */
    public Units units(AuditTrail trail, Sql.StatementListener watcher) {
        return new Units(committer, trail, waiting(watcher));
    }

    private static Sql.StatementListener waiting(Sql.StatementListener watcher) {
        return text -> {
            Runnable waited = RequestDeadline.waiting();
            Runnable ended = watcher.begin(text);
            return () -> {
                ended.run();
                waited.run();
            };
        };
    }

    /** The same, and nobody hears of them. */
    public Sql sql() {
        return sql(statement -> () -> {});
    }

    /** What has to be done now and then. */
    public Upkeep upkeep(Clock clock) {
        return new Upkeep(sql(), url.engine(), clock);
    }

    /** What an operator should know of this database after its tables were made, a sentence each. */
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

    /** Whether PostgreSQL is behind a connection pooler, as far as is known. */
    public boolean isThroughPooler() {
        return connections != null && connections.isThroughPooler();
    }

    /** For making tables. Statements that go past {@link #sql} share no commits, and may meet a writer that is busy. */
    public DataSource dataSource() {
        return pool;
    }

    public DatabaseUrl url() {
        return url;
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

    private static void sqlite(HikariConfig config, DatabaseUrl url) {
        SqliteLibrary.load();
        config.setConnectionTimeout(LONG_WAIT.toMillis());
        config.setMaximumPoolSize(CONNECTIONS_TO_A_FILE);
        config.setMinimumIdle(1);
        config.setMaxLifetime(0); // a file does not go away
        // The first connection waits for the driver to unpack itself, however long that takes on a busy machine.
        config.setInitializationFailTimeout(0);
        var properties = new Properties();
        properties.setProperty("journal_mode", "WAL");
        properties.setProperty("synchronous", "FULL");
        properties.setProperty("busy_timeout", Long.toString(LONG_WAIT.toMillis()));
        properties.setProperty("foreign_keys", "true");
        properties.setProperty("transaction_mode", "IMMEDIATE"); // waits for the lock before it reads, not in between
        config.setDataSource(KeptStatements.of(new DriverDataSource(url.jdbc(), null, properties, null, null)));
    }

    private static PostgresConnections postgres(HikariConfig config, DatabaseUrl url, int maxConnections) {
        config.setConnectionTimeout(WAIT.toMillis());
        config.setMaximumPoolSize(maxConnections);
        config.setMaxLifetime(Duration.ofMinutes(10).toMillis());
        config.setKeepaliveTime(Duration.ofSeconds(30).toMillis());
        var properties = new Properties();
        properties.setProperty("connectTimeout", seconds(WAIT));
        properties.setProperty("loginTimeout", seconds(LOGIN));
        properties.setProperty("socketTimeout", seconds(WAIT_FOR_ANSWER));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "porchlight");
        // Of several hosts, the one that takes writes, which may be another after a failover.
        properties.setProperty("targetServerType", "primary");
        properties.setProperty("hostRecheckSeconds", "1");
        var connections = new PostgresConnections(url, properties);
        config.setDataSource(connections.dataSource());
        return connections;
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
