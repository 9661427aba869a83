// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import org.jspecify.annotations.Nullable;

/**
 * The block of code during which a span is the thread's current one, together with the correlation id of its request; closing
 * it restores the previous ones.
 *
 * <p>They are thread-local, because log lines, exemplars and SQL statements need them in code without a parameter for
 * them. Other code should pass the {@link Span} itself.
 *
 * <p>Must be closed by the thread that opened it, in reverse order; otherwise closing does nothing.
 */
public final class Scope implements AutoCloseable {
    private static final ThreadLocal<Scope> CURRENT = new ThreadLocal<>();

    private final Span span;
    private final @Nullable String correlationId;
    private final @Nullable Scope before;

    private Scope(Span span, @Nullable String correlationId, @Nullable Scope before) {
        this.span = span;
        this.correlationId = correlationId;
        this.before = before;
    }

    static Span currentSpan() {
        Scope scope = CURRENT.get();
        return scope == null ? Span.none() : scope.span;
    }

    /** Returns the correlation id of the request that the calling thread works on, or null. */
    public static @Nullable String correlationId() {
        Scope scope = CURRENT.get();
        return scope == null ? null : scope.correlationId;
    }

    static Scope open(Span span, @Nullable String correlationId) {
        Scope scope = new Scope(span, correlationId, CURRENT.get());
        CURRENT.set(scope);
        return scope;
    }

    @Override
    public void close() {
        if (CURRENT.get() == this) {
            CURRENT.set(before); // a null too: to remove the thread's entry would cost each request a new one
        }
    }
}
