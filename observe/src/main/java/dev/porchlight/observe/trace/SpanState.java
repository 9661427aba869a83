// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one word that guards a span: open, being changed by a thread, or ended for good.
 *
 * <p>A change lasts a few dozen instructions and calls no foreign code, so another thread waits for it by trying again;
 * a lock would cost every span an object, or several times the time of a change.
 */
abstract class SpanState {
    private static final int OPEN = 0;
    private static final int BUSY = 1;
    private static final int ENDED = 2;
    private static final VarHandle STATE = handle();

    /** Read and written through {@link #STATE}: what a span holds needs order between its own threads, and no more. */
    @SuppressWarnings("UnusedVariable") // the handle reads it
    private int state;

    SpanState(boolean recording) {
        state = recording ? OPEN : ENDED;
    }

    /** Whether what is set still counts: false once the span has ended, and always when it was not sampled. */
    public final boolean recording() {
        return (int) STATE.getOpaque(this) != ENDED;
    }

    /** Takes the span for a change, to be followed by {@link #release} or {@link #seal}; false when it has ended. */
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
