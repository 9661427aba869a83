// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.passkey.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A write on its way through {@link GroupCommit}: one thread waits for it, and another does it, unless it is too late. */
final class PendingWrite<T extends @Nullable Object> {
    /** What came of the work, while it is not committed. */
    private record Result<T extends @Nullable Object>(T value) {}

    private final Sql.Work<T> work;
    private final long deadline;

    /** Whether it was begun, or given up before that: whoever sets it first decides. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private final CompletableFuture<Result<T>> answer = new CompletableFuture<>();
    private @Nullable Result<T> result;

    PendingWrite(Sql.Work<T> work, Duration patience) {
        this.work = work;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /** One that nobody wants. */
    static PendingWrite<?> none() {
        PendingWrite<Boolean> none = new PendingWrite<>(connection -> true, Duration.ZERO);
        none.decided.set(true);
        return none;
    }

    /** Waits until it is committed. */
    T await() throws SQLException {
        try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .value();
        } catch (TimeoutException e) {
            throw givenUp("the disk does not keep up", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp("interrupted", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Whether it is still wanted; if so, it cannot be given up any more. */
    boolean begin() {
        return decided.compareAndSet(false, true);
    }

    boolean overdue() {
        return System.nanoTime() - deadline > 0;
    }

    void perform(Connection connection) throws SQLException {
        result = new Result<>(work.with(connection));
    }

    void committed() {
        answer.complete(Objects.requireNonNull(result));
    }

    void failed(Throwable reason) {
        answer.completeExceptionally(reason);
    }

    private SQLException givenUp(String why, Exception cause) {
        boolean before = decided.compareAndSet(false, true);
        return new SQLTimeoutException(
                why + (before ? "; nothing was written" : "; it may have been written or not"), cause);
    }

    /** Thrown as what it was, by the thread that asked for it. */
    private static SQLException failure(@Nullable Throwable cause) {
        if (cause instanceof SQLException e) {
            return e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return new SQLException(cause);
    }
}
