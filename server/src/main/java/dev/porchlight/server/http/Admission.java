// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests are handled at once. Some more wait briefly without a thread; the others are refused at once, so
 * that accepted requests finish in time under any load. Thread-safe.
 *
 * <p>Requests that begin a ceremony wait behind those that finish one: refusing the second half would waste the first.
 */
final class Admission {
    /** Short enough that a refusal after this wait is still fast. */
    static final Duration WAIT = Duration.ofMillis(30);

    private static final int WAITING_PER_WORKING = 2;

    private final int max;
    private final int maxWaiting;
    private final Executor executor;
    private final Scheduler scheduler;
    private final LongSupplier nanoTime;
    private final Deque<Waiting> beginning = new ArrayDeque<>();
    private final Deque<Waiting> finishing = new ArrayDeque<>();
    private final LongAdder full = new LongAdder();
    private final LongAdder late = new LongAdder();
    private int working;
    private boolean scheduled;

    private record Waiting(Runnable work, Runnable refusal, long until) {}

    /** Creates a limit; the executor handles requests that waited. */
    Admission(int max, Executor executor, Scheduler scheduler, LongSupplier nanoTime) {
        this.max = max;
        this.maxWaiting = max * WAITING_PER_WORKING;
        this.executor = executor;
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
    }

    /**
     * Runs either the work, now or after a wait, or the refusal.
     *
     * @param begins whether this request is refused before requests that finish a ceremony
     */
    void enter(boolean begins, Runnable work, Runnable refusal) {
        boolean admitted = false;
        synchronized (this) {
            Deque<Waiting> queue = begins ? beginning : finishing;
            if (working < max) {
                working++;
                admitted = true;
            } else if (queue.size() < maxWaiting) {
                queue.add(new Waiting(work, refusal, nanoTime.getAsLong() + WAIT.toNanos()));
                schedule(WAIT.toNanos());
                return;
            }
        }
        if (admitted) {
            work(work);
        } else {
            full.increment();
            refusal.run();
        }
    }

    /** The number of requests being handled and waiting. */
    synchronized Map<String, Integer> load() {
        return Map.of("working", working, "waiting", beginning.size() + finishing.size());
    }

    /** The number of requests refused so far: at once because the queue was full, or after a wait. */
    Map<String, Long> refused() {
        return Map.of("full", full.sum(), "late", late.sum());
    }

    private void work(Runnable work) {
        try {
            work.run();
        } finally {
            leave();
        }
    }

    /** Passes the slot to the next waiting request. */
    private void leave() {
        Waiting next;
        synchronized (this) {
            next = finishing.isEmpty() ? beginning.poll() : finishing.poll();
            if (next == null) {
                working--;
                return;
            }
        }
        handOver(next);
    }

    /** An executor that throws for lack of a thread may still have queued the work, and run it later. */
    private void handOver(Waiting next) {
        AtomicBoolean taken = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (taken.compareAndSet(false, true)) {
                    work(next.work());
                }
            });
        } catch (RejectedExecutionException | Error noThread) {
            if (taken.compareAndSet(false, true)) {
                synchronized (this) {
                    working--;
                }
                refuse(List.of(next));
            }
        }
    }

    /** Schedules one check at a time: the first request in a queue is the first to expire. */
    private void schedule(long nanos) {
        if (!scheduled) {
            scheduled = true;
            scheduler.schedule(this::expire, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)), TimeUnit.MILLISECONDS);
        }
    }

    private void expire() {
        List<Waiting> tooLong = new ArrayList<>();
        synchronized (this) {
            scheduled = false;
            long now = nanoTime.getAsLong();
            remove(finishing, now, tooLong);
            remove(beginning, now, tooLong);
            Waiting first = first();
            if (first != null) {
                schedule(first.until() - now);
            }
        }
        refuse(tooLong);
    }

    private static void remove(Deque<Waiting> queue, long now, List<Waiting> tooLong) {
        while (!queue.isEmpty() && queue.element().until() - now <= 0) {
            tooLong.add(queue.remove());
        }
    }

    private @Nullable Waiting first() {
        Waiting one = finishing.peek();
        Waiting other = beginning.peek();
        return one == null || other != null && other.until() - one.until() < 0 ? other : one;
    }

    private void refuse(List<Waiting> waiting) {
        late.add(waiting.size());
        for (Waiting each : waiting) {
            try {
                each.refusal().run();
            } catch (RuntimeException | Error broken) {
                // A failed refusal ends its own request only; the others still need theirs.
            }
        }
    }
}
