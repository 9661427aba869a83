// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state word that guards a span: open, taken by a thread for a change, or ended.
 *
 * <p>A change takes a few dozen instructions and calls no foreign code, so other threads spin. A lock would cost each
 * span an object, or several times the duration of a change.
 */
abstract class SpanState {
    private static final int OPEN = 0;
    private static final int BUSY = 1;
    private static final int ENDED = 2;
    private static final VarHandle STATE = handle();

    /** Accessed through {@link #STATE}, with acquire and release ordering. */
    @SuppressWarnings("UnusedVariable") // the handle reads it
    private int state;

    SpanState(boolean recording) {
        state = recording ? OPEN : ENDED;
    }

    /** Returns whether the span records: false after it has ended, and always if it was not sampled. */
    public final boolean recording() {
        return (int) STATE.getOpaque(this) != ENDED;
    }

    /** Takes the span for a change, to be followed by {@link #release} or {@link #seal}. Returns false if it has ended. */
    final boolean take() {
        while (!STATE.weakCompareAndSetAcquire(this, OPEN, BUSY)) {
            if (!recording()) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    final void release() {
        STATE.setRelease(this, OPEN);
    }

    final void seal() {
        STATE.setRelease(this, ENDED);
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(SpanState.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
