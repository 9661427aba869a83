// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * The block of code during which a span is the thread's current one; closing it restores the previous one.
 *
 * <p>The current span is thread-local, because log lines, exemplars and SQL statements need it in code without a
 * parameter for it. Other code should pass the {@link Span} itself.
 *
 * <p>Must be closed by the thread that opened it, in reverse order; otherwise closing does nothing.
 */
public final class Scope implements AutoCloseable {
    private static final ThreadLocal<Span> CURRENT = new ThreadLocal<>();

    private final Span span;
    private final Span before;

    private Scope(Span span, Span before) {
        this.span = span;
        this.before = before;
    }

    static Span currentSpan() {
        Span span = CURRENT.get();
        return span == null ? Span.none() : span;
    }

    static Scope open(Span span) {
        Scope scope = new Scope(span, currentSpan());
        CURRENT.set(span);
        return scope;
    }

    @Override
    public void close() {
        if (CURRENT.get() != span) {
            return;
        }
        if (before == Span.none()) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
