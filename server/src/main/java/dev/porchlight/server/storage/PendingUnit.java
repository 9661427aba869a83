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

/** A unit on its way through the {@link Committer}: one thread waits for it, another writes it, unless it is too late. */
final class PendingUnit<R extends @Nullable Object> {
    /** What came of the unit, while it is not committed. */
    private record Outcome<R extends @Nullable Object>(R value) {}

    private final Unit<R> unit;
    private final @Nullable AuditTrail trail;
    private final long deadline;

    /** Whether it was begun, or given up before that: whoever sets it first decides. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private final CompletableFuture<Outcome<R>> answer = new CompletableFuture<>();
    private @Nullable Outcome<R> outcome;

    PendingUnit(Unit<R> unit, @Nullable AuditTrail trail, Duration patience) {
        this.unit = unit;
        this.trail = trail;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /** One that nobody wants. */
    static PendingUnit<?> none() {
        PendingUnit<Boolean> none = new PendingUnit<>(connection -> true, null, Duration.ZERO);
        none.decided.set(true);
        return none;
    }

    Unit<R> unit() {
        return unit;
    }

    /** Where its audit row belongs; null if it has none. */
    @Nullable
    AuditTrail trail() {
        return trail;
    }

    /** Waits until it is committed. */
    R await() throws SQLException {
        try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                    .value();
        } catch (TimeoutException e) {
            throw givenUp("the database does not keep up", e);
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

    void write(Connection connection) throws SQLException {
        result(unit.write(connection));
    }

    /** What came of it in the transaction that is open. */
    void result(R value) {
        outcome = new Outcome<>(value);
    }

    /** The audit row for what came of it. */
    @Nullable
    AuditEvent event() {
        return unit.event(Objects.requireNonNull(outcome).value());
    }

    void committed() {
        answer.complete(Objects.requireNonNull(outcome));
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
