// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.audit.AuditTrail;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Commits units of work with their audit rows. Thread-safe; failures are {@link StorageException}s. */
public final class Units implements AutoCloseable {
    private final Committer committer;
    private final AuditTrail trail;
    private final Sql.StatementListener listener;

    Units(Committer committer, AuditTrail trail, Sql.StatementListener listener) {
        this.committer = committer;
        this.trail = trail;
        this.listener = listener;
    }

    /** Writes a unit and its audit row, and returns when both are durable. */
    public <R extends @Nullable Object> R commit(String what, Unit<R> unit) {
        Runnable ended = listener.begin(what);
        try {
            return committer.commit(unit, trail);
        } catch (StorageException e) {
            throw e;
        } catch (SQLException | RuntimeException e) { // drivers and pools throw both
            throw new StorageException("database: " + what, e);
        } finally {
            ended.run();
        }
    }

    /** Writes a unit that consists of these parts; see {@link Unit}. */
    public <R extends @Nullable Object> R commit(
            String what, Sql.Work<R> write, Function<R, @Nullable AuditEvent> event) {
        return commit(what, new Unit<R>() {
            @Override
            public R write(Connection connection) throws SQLException {
                return write.with(connection);
            }

            @Override
            public @Nullable AuditEvent event(R result) {
                return event.apply(result);
            }
        });
    }

    /**
     * Writes a change by an operator, who is checked first. The audit row, if there is one, gets the operator and the request.
     *
     * @throws Actor.DeniedException if the operator may no longer make the change; nothing is written then
     */
    public <R> R commit(
            String what, Actor by, Actor.Target target, Sql.Work<R> write, Function<R, @Nullable AuditEvent> event) {
        Attempt<R> attempt = commit(
                what,
                connection -> {
                    Actor.Denial denial = by.check(connection, target);
                    return denial == null ? new Attempt<>(null, write.with(connection)) : new Attempt<>(denial, null);
                },
                done -> {
                    AuditEvent written = done.result() == null ? null : event.apply(done.result());
                    return written == null ? null : written.by(by.label(), by.correlationId());
                });
        if (attempt.denial() != null) {
            throw new Actor.DeniedException(attempt.denial());
        }
        return Objects.requireNonNull(attempt.result());
    }

    private record Attempt<R>(
            Actor.@Nullable Denial denial, @Nullable R result) {}

    /** Writes an audit row alone, if it is not null. */
    public void append(@Nullable AuditEvent event) {
        var unused = commit("append an audit row", new CeremonyUnit(null, null, result -> event));
    }

    /** Writes the number of aggregated refusals, if their minute is over. */
    public void flush() {
        if (trail.isOpen()) {
            append(AuditTrail.TICK);
        }
    }

    /** The audit log, for events outside a unit of work. */
    public AuditLog audit() {
        return new AuditLog(trail, this::append);
    }

    /** Writes the audit row that ends this trail, unless the trail is empty. */
    @Override
    public void close() {
        try {
            var unused = commit("end the audit trail", connection -> true, result -> trail.end());
        } catch (StorageException e) {
            // the trail has no end row, as after a crash
        }
    }
}
