// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditTrail;
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

/** A unit in the {@link Committer}: the caller waits for it while the writer thread writes it. */
final class PendingUnit<R extends @Nullable Object> {
    private record Outcome<R extends @Nullable Object>(R value) {}

    private final Unit<R> unit;
    private final @Nullable AuditTrail trail;
    private final long deadline;

    /** Set by the writer when it starts the unit, or by the caller when it gives up; the first one wins. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    private final CompletableFuture<Outcome<R>> completion = new CompletableFuture<>();
    private @Nullable Outcome<R> outcome;

    PendingUnit(Unit<R> unit, @Nullable AuditTrail trail, Duration timeout) {
        this.unit = unit;
        this.trail = trail;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /** A unit without a caller, which only wakes the writer. */
    static PendingUnit<?> none() {
        PendingUnit<Boolean> none = new PendingUnit<>(connection -> true, null, Duration.ZERO);
        none.claimed.set(true);
        return none;
    }

    Unit<R> unit() {
        return unit;
    }

    /** The trail of its audit row; null if it has none. */
    @Nullable
    AuditTrail trail() {
        return trail;
    }

    R await() throws SQLException {
        try {
            return completion
                    .get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .value();
        } catch (TimeoutException e) {
            throw givenUp("the database is too slow", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp("interrupted", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Claims the unit for writing. Returns false if the caller has given up. */
    boolean begin() {
        return claimed.compareAndSet(false, true);
    }

    boolean overdue() {
        return System.nanoTime() - deadline > 0;
    }

    void write(Connection connection) throws SQLException {
        result(unit.write(connection));
    }

    /** Sets the result in the open transaction. */
    void result(R value) {
        outcome = new Outcome<>(value);
    }

    @Nullable
    AuditEvent event() {
        return unit.event(Objects.requireNonNull(outcome).value());
    }

    void committed() {
        completion.complete(Objects.requireNonNull(outcome));
    }

    void failed(Throwable reason) {
        completion.completeExceptionally(reason);
    }

    private SQLException givenUp(String reason, Exception cause) {
        boolean notStarted = claimed.compareAndSet(false, true);
        return new SQLTimeoutException(
                reason + (notStarted ? "; nothing was written" : "; the result of the write is unknown"), cause);
    }

    /** Rethrows the original failure on the caller's thread. */
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
