// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.passkey.store.Sql;
import dev.porchlight.server.limit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets writes that come at the same time share one commit, which is what a durable write costs: one thread takes all that
 * wait, does one after the other in one transaction, commits, and only then answers each. Reads go past it, on connections
 * of their own, and see what was answered. Thread-safe.
 *
 * <p>If any of them fails, or the commit does, all are undone and each is done again in a transaction by itself: a write
 * fails for its own reasons alone, and is answered only by a commit that held it.
 *
 * <p>Nobody waits longer than his patience, nor than his request may. Whoever gives up before his turn has written nothing; after that he does not
 * know, as with any database that does not answer in time.
 */
final class GroupCommit implements Sql.Connections, AutoCloseable {
    /** How many writes may wait. */
    static final int QUEUE = 1_024;

    /** How many share a commit at most, so that the first of them does not wait for long. */
    static final int BATCH = 128;

    private final DataSource pool;
    private final Consumer<Connection> discard;
    private final Duration patience;
    private final BlockingQueue<PendingWrite<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer = new Thread(this::work, "porchlight-writer");
    private volatile boolean closed;

    /** The writer's alone, and kept while all goes well: what it has read of the file stays good until somebody else writes. */
    private @Nullable Connection kept;

    /** Whether a reader found the file bad, which the writer would not notice before it reads more of it. */
    private volatile boolean suspect;

    /**
     * Commits on a connection of this pool.
     *
     * @param discard makes the pool close a connection when it is given back
     */
    GroupCommit(DataSource pool, Consumer<Connection> discard, Duration patience) {
        this.pool = pool;
        this.discard = discard;
        this.patience = patience;
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public <T extends @Nullable Object> T read(Sql.Work<T> work) throws SQLException {
        Connection connection = pool.getConnection();
        try {
            return work.with(connection);
        } catch (SQLException e) {
            suspect = true;
            throw e;
        } finally {
            release(connection);
        }
    }

    @Override
    public <T extends @Nullable Object> T write(Sql.Work<T> statement) throws SQLException {
        return transaction(statement);
    }

    @Override
    public <T extends @Nullable Object> T transaction(Sql.Work<T> work) throws SQLException {
        long left = Patience.leftMillis();
        if (left == 0) {
            throw new SQLTransientException("the request has waited long enough");
        }
        PendingWrite<T> write =
                new PendingWrite<>(work, left < patience.toMillis() ? Duration.ofMillis(left) : patience);
        if (closed || !queue.offer(write)) {
            throw new SQLTransientException(closed ? "the database is being closed" : "too many writes wait");
        }
        return write.await();
    }

    /** Ends when what waits is written; what comes after that is refused. */
    @Override
    public void close() {
        closed = true;
        var unused = queue.offer(PendingWrite.none()); // wakes the writer; where there is no room, it is awake
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (writer.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                writer.join(patience.toMillis());
            } catch (InterruptedException e) {
                interrupted = true; // and told to the caller when the file is closed
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            commitAll();
        } finally {
            letGo();
        }
    }

    private void commitAll() {
        List<PendingWrite<?>> batch = new ArrayList<>(BATCH);
        while (next(batch)) {
            try {
                batch.removeIf(write -> !write.begin());
                if (!batch.isEmpty()) {
                    commit(batch);
                }
            } catch (RuntimeException | Error e) { // of whatever kind: there is no other writer
                batch.forEach(write -> write.failed(e));
            }
            batch.clear();
        }
    }

    /** Waits for a write and takes those behind it; false when there is none and will be none. */
    private boolean next(List<PendingWrite<?>> batch) {
        if (!closed) {
            try {
                batch.add(queue.take());
            } catch (InterruptedException e) {
                closed = true;
            }
        }
        queue.drainTo(batch, BATCH - batch.size());
        return !batch.isEmpty();
    }

    private void commit(List<PendingWrite<?>> batch) {
        if (suspect) {
            suspect = false;
            letGo();
        }
        Connection connection;
        try {
            connection = kept == null ? pool.getConnection() : kept;
        } catch (SQLException | RuntimeException | Error e) {
            batch.forEach(write -> write.failed(e));
            return;
        }
        kept = null;
        try {
            kept = commit(connection, batch) ? connection : null;
        } finally {
            if (kept == null) {
                release(connection);
            }
        }
    }

    private void letGo() {
        Connection former = kept;
        kept = null;
        if (former != null) {
            discard.accept(former);
            release(former);
        }
    }

    /** Whether all went well. */
    private static boolean commit(Connection connection, List<PendingWrite<?>> batch) {
        try {
            Sql.update(connection, "BEGIN IMMEDIATE");
            for (PendingWrite<?> write : batch) {
                write.perform(connection);
            }
            Sql.update(connection, "COMMIT");
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection);
            if (batch.size() == 1) {
                batch.get(0).failed(e);
            } else {
                batch.forEach(write -> alone(connection, write, e));
            }
            return false;
        }
        batch.forEach(PendingWrite::committed);
        return true;
    }

    /** Where all failed for one reason, such as a lock that was not had in time, there is no time left to try again. */
    private static void alone(Connection connection, PendingWrite<?> write, Throwable failure) {
        if (write.overdue()) {
            write.failed(failure);
        } else {
            var unused = commit(connection, List.of(write));
        }
    }

    /**
     * SQLite has undone all by itself when a disk was full or broke, and says then that there is nothing to undo. The driver's
     * own way, by its auto-commit mode, loses count at that and commits the statements that follow one by one.
     */
    private static void undo(Connection connection) {
        try {
            Sql.update(connection, "ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // and if it was not undone, the next transaction cannot begin
        }
    }

    private static void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // nothing that was asked for has failed
        }
    }
}
