// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * The stretch of code during which a span is the thread's current one; closing it brings back the one before.
 *
 * <p>To be closed by the thread that opened it: on any other thread, or out of turn, closing does nothing.
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
