// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private volatile boolean canceled;
    private volatile @Nullable Wait waiting;

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
        Wait wait = waiting;
        if (wait != null) {
            wait.expire();
        }
    }

    final boolean canceled() {
        return canceled;
    }

    private void read(Executor ending) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                await(ending);
                return;
            }
            boolean more;
            try {
                more = accept(chunk);
            } finally {
                chunk.release();
            }
            if (!more) {
                end(true, ending);
                return;
            }
        }
    }

    private void await(Executor ending) {
        long nanos = timeoutNanos();
        if (nanos <= 0) {
            end(false, ending);
            return;
        }
        Wait wait = new Wait();
        waiting = wait;
        wait.begin(nanos);
        if (canceled) { // perhaps before the wait began
            wait.expire();
        }
    }

    private void end(boolean complete, Executor ending) {
        try {
            ending.execute(() -> end(complete));
        } catch (RejectedExecutionException stopping) { // the server is stopping and has no other thread
            end(complete);
        }
    }

    /** A wait for the next chunk or the timeout. */
    private final class Wait {
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Scheduler.@Nullable Task timer;

        void begin(long nanos) {
            request.demand(new Invocable.ReadyTask(Invocable.InvocationType.NON_BLOCKING, this::arrived));
            if (!over.get()) {
                timer = request.getComponents()
                        .getScheduler()
                        .schedule(this::expire, TimeUnit.NANOSECONDS.toMillis(nanos) + 1, TimeUnit.MILLISECONDS);
                if (over.get()) { // perhaps before the timer was set
                    stopTimer();
                }
            }
        }

        private void arrived() {
            if (over.compareAndSet(false, true)) {
                stopTimer();
                read(executor);
            }
        }

        void expire() {
            if (over.compareAndSet(false, true)) {
                stopTimer();
                end(false, executor);
            }
        }

        private void stopTimer() {
            Scheduler.Task task = timer;
            if (task != null) {
                task.cancel();
            }
        }
    }
}
