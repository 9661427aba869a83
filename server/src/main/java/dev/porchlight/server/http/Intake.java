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

/** Takes what a request carries as it comes, and has no thread while nothing does: a client may send as slowly as it likes. */
final class Intake {
    /** What is done with what comes; by one thread after another. */
    interface Taker {
        /** Takes a chunk, which may be a failure, and tells whether more is wanted. */
        boolean take(Content.Chunk chunk);

        /** For how long the next chunk is waited for; if that is no time, it is not. */
        long patienceNanos();

        /** The end, once; in time, unless more was wanted. */
        void end(boolean inTime);
    }

    private final Request request;
    private final Scheduler scheduler;
    private final Executor executor;
    private final Taker taker;

    /** The executor is for an end that is not there at the beginning. */
    Intake(Request request, Scheduler scheduler, Executor executor, Taker taker) {
        this.request = request;
        this.scheduler = scheduler;
        this.executor = executor;
        this.taker = taker;
    }

    /** Takes what is there. If that is all, this thread goes on to the end. */
    void begin() {
        read(Runnable::run);
    }

    private void read(Executor ending) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                long nanos = taker.patienceNanos();
                if (nanos > 0) {
                    new Wait().begin(nanos);
                } else {
                    end(false, ending);
                }
                return;
            }
            boolean more;
            try {
                more = taker.take(chunk);
            } finally {
                chunk.release();
            }
            if (!more) {
                end(true, ending);
                return;
            }
        }
    }

    private void end(boolean inTime, Executor ending) {
        try {
            ending.execute(() -> taker.end(inTime));
        } catch (RejectedExecutionException stopping) { // there are no other threads any more
            taker.end(inTime);
        }
    }

    /** Until more comes or the time is over, whichever is first. */
    private final class Wait {
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Scheduler.@Nullable Task timer;

        void begin(long nanos) {
            request.demand(new Invocable.ReadyTask(Invocable.InvocationType.NON_BLOCKING, this::more));
            if (!over.get()) {
                timer = scheduler.schedule(this::late, TimeUnit.NANOSECONDS.toMillis(nanos) + 1, TimeUnit.MILLISECONDS);
                if (over.get()) { // perhaps before there was a timer to be stopped
                    stopTimer();
                }
            }
        }

        private void more() {
            if (over.compareAndSet(false, true)) {
                stopTimer();
                read(executor);
            }
        }

        private void late() {
            if (over.compareAndSet(false, true)) {
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
