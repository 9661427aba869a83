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

        /** Whether nothing more is wanted, as another thread decided. */
        default boolean givenUp() {
            return false;
        }

        /** The end, once; in time, unless more was wanted. */
        void end(boolean inTime);
    }

    private final Request request;
    private final Scheduler scheduler;
    private final Executor executor;
    private final Taker taker;
    private volatile @Nullable Wait waiting;

    /** The executor is for an end that is not there at the beginning. */
    Intake(Request request, Scheduler scheduler, Executor executor, Taker taker) {
        this.request = request;
        this.scheduler = scheduler;
        this.executor = executor;
        this.taker = taker;
    }

    /**
     * Stops waiting for the next chunk, as if the time were over.
     *
     * @return false if there is no wait now
     */
    boolean giveUp() {
        Wait wait = waiting;
        return wait != null && wait.late();
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
                    Wait wait = new Wait();
                    waiting = wait;
                    wait.begin(nanos);
                    if (taker.givenUp()) { // perhaps before there was a wait to end
                        wait.late();
                    }
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

        boolean late() {
            if (!over.compareAndSet(false, true)) {
                return false;
            }
            stopTimer();
            end(false, executor);
            return true;
        }

        private void stopTimer() {
            Scheduler.Task task = timer;
            if (task != null) {
                task.cancel();
            }
        }
    }
}
