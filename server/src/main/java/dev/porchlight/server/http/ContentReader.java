// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's content as it arrives. It blocks no thread while it waits, so slow clients occupy none. The abstract
 * methods are called by one thread at a time.
 */
abstract class ContentReader {
    private final Request request;
    private final Executor executor;
    private final AtomicReference<State> state = new AtomicReference<>(State.READING);
    private volatile boolean canceled;
    private volatile long deadline;
    private volatile Scheduler.@Nullable Task timer;

    /** Who may act next: one thread that reads, or the first of a chunk, the timer and a cancellation. */
    private enum State {
        READING,
        WAITING,
        OVER
    }

    /** Creates a reader that ends on the executor, unless all content has arrived at the start. */
    ContentReader(Request request, Executor executor) {
        this.request = request;
        this.executor = executor;
    }

    /** Accepts a chunk, which may be a failure, and returns whether to read more. */
    abstract boolean accept(Content.Chunk chunk);

    /** Returns how long to wait for the next chunk; if 0 or less, reading ends. */
    abstract long timeoutNanos();

    /** Called once. Incomplete if reading timed out or was canceled. */
    abstract void end(boolean complete);

    /** Reads the content that has arrived. If that is everything, this thread calls {@link #end}. */
    final void begin() {
        read(Runnable::run);
    }

    /** Stops waiting, as if reading had timed out. Called on any thread. */
    final void cancel() {
        canceled = true;
        expire();
    }

    final boolean canceled() {
        return canceled;
    }

    private void read(Executor ending) {
        boolean more = true;
        while (more) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                await(ending);
                return;
            }
            try {
                more = accept(chunk);
            } finally {
                chunk.release();
            }
        }
        end(true, ending);
    }

    private void await(Executor ending) {
        long nanos = timeoutNanos();
        if (nanos <= 0) {
            end(false, ending);
            return;
        }
        deadline = System.nanoTime() + nanos;
        if (timer == null) {
            checkAfter(nanos);
        }
        state.set(State.WAITING);
        request.demand(new Invocable.ReadyTask(Invocable.InvocationType.NON_BLOCKING, this::arrived));
        if (canceled) { // perhaps before the wait began
            expire();
        }
    }

    private void arrived() {
        if (state.compareAndSet(State.WAITING, State.READING)) {
            read(executor);
        }
    }

    private void expire() {
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            end(false, executor);
        }
    }

    /** One timer serves all waits; each chunk may have moved the deadline. */
    private void checkAfter(long nanos) {
        timer = request.getComponents()
                .getScheduler()
                .schedule(this::check, TimeUnit.NANOSECONDS.toMillis(nanos) + 1, TimeUnit.MILLISECONDS);
    }

    private void check() {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            expire();
        }
        if (state.get() != State.OVER) {
            checkAfter(Math.max(0, left));
        }
    }

    private void end(boolean complete, Executor ending) {
        state.set(State.OVER);
        Scheduler.Task task = timer;
        if (task != null) {
            task.cancel();
        }
        try {
            ending.execute(() -> end(complete));
        } catch (RejectedExecutionException stopping) { // the server is stopping and has no other thread
            end(complete);
        }
    }
}
