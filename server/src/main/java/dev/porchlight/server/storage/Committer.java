// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Retry;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.limit.RequestDeadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Commits all writes. Concurrent units share a commit, which is the main cost of a durable write: one thread writes all
 * waiting units in one transaction with their audit rows, commits, and then completes each of them. Reads use other
 * connections and see every completed unit. Thread-safe.
 *
 * <p>If a unit fails, all are rolled back and each is written again in its own transaction, so a unit fails only for its own
 * reasons. A unit succeeds only after the commit that contains it. If the commit itself fails, its result is unknown on
 * PostgreSQL: all of its units fail, and none is retried. On SQLite a failed commit is rolled back.
 *
 * <p>No caller waits longer than its request may. A caller that gives up before its unit was started has written nothing;
 * after that the result is unknown, as with any database that does not respond in time.
 */
final class Committer implements Sql.Connections, AutoCloseable {
    /** The maximum number of waiting writes. */
    static final int QUEUE = 1_024;

    /** The maximum number of units per commit, so that the first does not wait long. */
    static final int BATCH = 128;

    /** How often a unit is tried alone after the database rolled it back or its connection was lost. */
    private static final int ATTEMPTS = 3;

    private final DataSource pool;
    private final Consumer<Connection> discard;
    private final Duration timeout;
    private final BatchWriter batches;
    private final BlockingQueue<PendingUnit<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer = new Thread(this::work, "porchlight-writer");
    private volatile boolean closed;

    /** The writer's connection, if the database is one for which it keeps a working connection. */
    private @Nullable Connection kept;

    /** Whether a read failed, so that the writer's connection may be broken too. */
    private volatile boolean suspect;

    /**
     * Creates a committer that uses connections of this pool.
     *
     * @param discard makes the pool close a connection when it is returned
     */
    Committer(DataSource pool, Consumer<Connection> discard, Duration timeout, BatchWriter batches) {
        this.pool = pool;
        this.discard = discard;
        this.timeout = timeout;
        this.batches = batches;
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
        return commit(work::with, null);
    }

    /** Writes a unit, with its audit row in this trail, and returns when both are durable. */
    <R extends @Nullable Object> R commit(Unit<R> unit, @Nullable AuditTrail trail) throws SQLException {
        long left = RequestDeadline.leftMillis();
        if (left == 0) {
            throw new SQLTransientException(RequestDeadline.EXCEEDED);
        }
        PendingUnit<R> pending =
                new PendingUnit<>(unit, trail, left < timeout.toMillis() ? Duration.ofMillis(left) : timeout);
        if (closed || !queue.offer(pending)) {
            throw new SQLTransientException(closed ? "the database is being closed" : "the write queue is full");
        }
        return pending.await();
    }

    /** Writes the waiting units and refuses new ones. */
    @Override
    public void close() {
        closed = true;
        var unused = queue.offer(PendingUnit.none()); // wakes the writer; if the queue is full, it is awake
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        while (writer.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                writer.join(timeout.toMillis());
            } catch (InterruptedException e) {
                interrupted = true; // restored after closing
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Continues after an Error such as a lack of memory, because there is no other writer. */
    private void work() {
        boolean ended = false;
        while (!ended) {
            try {
                commitAll();
                ended = true;
            } catch (RuntimeException | Error e) {
                // units lost by it time out
            }
        }
        discardKept();
    }

    private void commitAll() {
        List<PendingUnit<?>> batch = new ArrayList<>(BATCH);
        while (next(batch)) {
            try {
                batch.removeIf(unit -> !unit.begin());
                for (List<PendingUnit<?>> group : batches.groups(List.copyOf(batch))) {
                    commit(group);
                }
            } catch (RuntimeException | Error e) { // there is no other writer
                batch.forEach(unit -> unit.failed(e));
            }
            batch.clear();
        }
    }

    /** Waits for a write and adds the queued ones; returns false when closed and empty. */
    private boolean next(List<PendingUnit<?>> batch) {
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

    private void commit(List<PendingUnit<?>> group) {
        for (int attempt = 1; !group.isEmpty() && !commit(group, attempt); attempt++) {
            // retry
        }
    }

    /** Returns whether all units are completed. */
    private boolean commit(List<PendingUnit<?>> group, int attempt) {
        if (suspect) {
            suspect = false;
            discardKept();
        }
        Connection connection;
        try {
            connection = kept == null ? pool.getConnection() : kept;
        } catch (SQLException | RuntimeException | Error e) {
            group.forEach(unit -> unit.failed(e));
            return true;
        }
        kept = null;
        boolean committing = false;
        try {
            BatchWriter.Commit commit = batches.write(connection, group);
            committing = true;
            commit.run();
        } catch (SQLException | RuntimeException | Error e) {
            batches.undo(connection);
            release(connection);
            return fail(group, attempt, committing, e);
        }
        if (batches.isEmbedded()) {
            kept = connection;
        } else {
            release(connection);
        }
        trails(group).forEach(AuditTrail::committed);
        group.forEach(PendingUnit::committed);
        return true;
    }

    /** Handles a failure. Returns whether all units are completed, or false to retry a single one. */
    private boolean fail(List<PendingUnit<?>> group, int attempt, boolean committing, Throwable failure) {
        trails(group).forEach(committing ? AuditTrail::uncertain : AuditTrail::undone);
        if (committing && !batches.isEmbedded()) {
            group.forEach(unit -> unit.failed(failure));
            return true;
        }
        if (group.size() > 1) {
            group.forEach(unit -> alone(unit, failure));
            return true;
        }
        PendingUnit<?> unit = group.get(0);
        if (attempt < ATTEMPTS && !unit.overdue() && isTransient(failure)) {
            return false;
        }
        unit.failed(failure);
        return true;
    }

    /** Writes a unit alone, unless it is overdue, for example because all failed with a lock timeout. */
    private void alone(PendingUnit<?> unit, Throwable failure) {
        if (unit.overdue()) {
            unit.failed(failure);
        } else {
            commit(List.of(unit));
        }
    }

    private static boolean isTransient(Throwable failure) {
        return failure instanceof SQLException e && Retry.isRolledBackOrLost(e);
    }

    private static Set<AuditTrail> trails(List<PendingUnit<?>> group) {
        Set<AuditTrail> trails = new LinkedHashSet<>();
        for (PendingUnit<?> unit : group) {
            AuditTrail trail = unit.trail();
            if (trail != null) {
                trails.add(trail);
            }
        }
        return trails;
    }

    private void discardKept() {
        Connection former = kept;
        kept = null;
        if (former != null) {
            discard.accept(former);
            release(former);
        }
    }

    private static void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // the work itself succeeded
        }
    }
}
