// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.limit.RequestDeadline;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The one way to write: units that come at the same time share one commit, which is what a durable write costs. One thread
 * takes all that wait, writes them in one transaction with their audit rows, commits, and only then answers each. Reads go
 * past it, on connections of their own, and see what was answered. Thread-safe.
 *
 * <p>If any of them fails, all are undone and each is written again in a transaction by itself: a unit fails for its own
 * reasons alone. It is answered only by a commit that held it. If the commit itself fails, nobody knows whether it took
 * place; all are told so, and none is written again.
 *
 * <p>Nobody waits longer than a request may. Whoever gives up before the unit was begun has written nothing; after that it
 * is not known, as with any database that does not answer in time.
 */
final class Committer implements Sql.Connections, AutoCloseable {
    /** How many writes may wait. */
    static final int QUEUE = 1_024;

    /** How many share a commit at most, so that the first of them does not wait for long. */
    static final int BATCH = 128;

    /** How often a unit is written again by itself after the database undid it, or its connection was lost. */
    private static final int ATTEMPTS = 3;

    private final DataSource pool;
    private final Consumer<Connection> discard;
    private final Duration patience;
    private final BatchWriter batches;
    private final BlockingQueue<PendingUnit<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer = new Thread(this::work, "porchlight-writer");
    private volatile boolean closed;

    /** The writer's alone, if the database is one where it keeps its connection while all goes well. */
    private @Nullable Connection kept;

    /** Whether a reader found the database bad, which the writer would not notice before it reads more of it. */
    private volatile boolean suspect;

    /**
     * Commits on a connection of this pool.
     *
     * @param discard makes the pool close a connection when it is given back
     */
    Committer(DataSource pool, Consumer<Connection> discard, Duration patience, BatchWriter batches) {
        this.pool = pool;
        this.discard = discard;
        this.patience = patience;
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
            throw new SQLTransientException("the request has waited long enough");
        }
        PendingUnit<R> pending =
                new PendingUnit<>(unit, trail, left < patience.toMillis() ? Duration.ofMillis(left) : patience);
        if (closed || !queue.offer(pending)) {
            throw new SQLTransientException(closed ? "the database is being closed" : "too many writes wait");
        }
        return pending.await();
    }

    /** Ends when what waits is written; what comes after that is refused. */
    @Override
    public void close() {
        closed = true;
        var unused = queue.offer(PendingUnit.none()); // wakes the writer; where there is no room, it is awake
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (writer.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                writer.join(patience.toMillis());
            } catch (InterruptedException e) {
                interrupted = true; // and told to the caller when all is closed
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes on after an Error while a failure was reported, such as a lack of memory: there is no other writer. */
    private void work() {
        boolean ended = false;
        while (!ended) {
            try {
                commitAll();
                ended = true;
            } catch (RuntimeException | Error e) {
                // requests whose units were lost by it give up when their time is over
            }
        }
        letGo();
    }

    private void commitAll() {
        List<PendingUnit<?>> batch = new ArrayList<>(BATCH);
        while (next(batch)) {
            try {
                batch.removeIf(unit -> !unit.begin());
                for (List<PendingUnit<?>> group : batches.groups(List.copyOf(batch))) {
                    commit(group);
                }
            } catch (RuntimeException | Error e) { // of whatever kind: there is no other writer
                batch.forEach(unit -> unit.failed(e));
            }
            batch.clear();
        }
    }

    /** Waits for a write and takes those behind it; false when there is none and will be none. */
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
            // and once more
        }
    }

    /** Whether all of them are answered. */
    private boolean commit(List<PendingUnit<?>> group, int attempt) {
        if (suspect) {
            suspect = false;
            letGo();
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
            return answered(group, attempt, committing, e);
        }
        if (batches.keepsConnection()) {
            kept = connection;
        } else {
            release(connection);
        }
        trails(group).forEach(AuditTrail::committed);
        group.forEach(PendingUnit::committed);
        return true;
    }

    /** After a failure: whether all are answered, or one is to be tried again. */
    private boolean answered(List<PendingUnit<?>> group, int attempt, boolean committing, Throwable failure) {
        trails(group).forEach(committing ? AuditTrail::uncertain : AuditTrail::undone);
        if (committing && !batches.isCertainAfterUndo()) {
            group.forEach(unit -> unit.failed(failure));
            return true;
        }
        if (group.size() > 1) {
            group.forEach(unit -> alone(unit, failure));
            return true;
        }
        PendingUnit<?> unit = group.get(0);
        if (attempt < ATTEMPTS && !unit.overdue() && isPassing(failure)) {
            return false;
        }
        unit.failed(failure);
        return true;
    }

    /** Where all failed for one reason, such as a lock that was not had in time, there is no time left to try again. */
    private void alone(PendingUnit<?> unit, Throwable failure) {
        if (unit.overdue()) {
            unit.failed(failure);
        } else {
            commit(List.of(unit));
        }
    }

    /** A deadlock, a serialization failure, or a connection that was lost: with another attempt it may work. */
    private static boolean isPassing(Throwable failure) {
        String state = failure instanceof SQLException e ? e.getSQLState() : null;
        boolean timedOut = failure.getCause() instanceof SocketTimeoutException;
        return state != null
                && !timedOut
                && (state.equals("40001")
                        || state.equals("40P01")
                        || state.startsWith("08")
                        || state.startsWith("57P0"));
    }

    private static Set<AuditTrail> trails(List<PendingUnit<?>> group) {
        return group.stream()
                .map(PendingUnit::trail)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void letGo() {
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
            // nothing that was asked for has failed
        }
    }
}
