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
 * Lets only so many requests be worked on at once. Some more wait, without a thread, for a moment; the others are refused
 * at once. So what is begun is finished in time, however much is asked for. Thread-safe.
 *
 * <p>Those that begin something, such as a login, wait behind those that finish what was begun: to refuse the second half of
 * a login would waste the first.
 */
final class Admission {
    /** Short enough that whoever is refused after it is still refused soon. */
    static final Duration WAIT = Duration.ofMillis(30);

    private static final int WAITING_FOR_EACH_WORKING = 2;

    private final int most;
    private final int mostWaiting;
    private final Executor executor;
    private final Scheduler scheduler;
    private final LongSupplier nanoTime;
    private final Deque<Waiting> beginning = new ArrayDeque<>();
    private final Deque<Waiting> finishing = new ArrayDeque<>();
    private final LongAdder full = new LongAdder();
    private final LongAdder late = new LongAdder();
    private int working;
    private boolean watching;

    private record Waiting(Runnable work, Runnable refusal, long until) {}

    /** Admits so many at once; those that waited are worked on by the executor. */
    Admission(int most, Executor executor, Scheduler scheduler, LongSupplier nanoTime) {
        this.most = most;
        this.mostWaiting = most * WAITING_FOR_EACH_WORKING;
        this.executor = executor;
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
    }

    /**
     * Runs one of the two: the work, now or after a wait, or the refusal.
     *
     * @param begins whether it may be refused before others
     */
    void enter(boolean begins, Runnable work, Runnable refusal) {
        boolean admitted = false;
        synchronized (this) {
            Deque<Waiting> queue = begins ? beginning : finishing;
            if (working < most) {
                working++;
                admitted = true;
            } else if (queue.size() < mostWaiting) {
                queue.add(new Waiting(work, refusal, nanoTime.getAsLong() + WAIT.toNanos()));
                watch(WAIT.toNanos());
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

    /** How many are worked on and how many wait. */
    synchronized Map<String, Integer> load() {
        return Map.of("working", working, "waiting", beginning.size() + finishing.size());
    }

    /** How many were refused so far: at once, since as many waited as may, or after they waited. */
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

    /** Hands the place on to whoever waits. */
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

    /** An executor that cannot start a thread may have taken the work all the same, and come to it later. */
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

    /** One look at a time is planned: the first that waits is the first to have waited too long. */
    private void watch(long nanos) {
        if (!watching) {
            watching = true;
            scheduler.schedule(this::look, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)), TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        List<Waiting> tooLong = new ArrayList<>();
        synchronized (this) {
            watching = false;
            long now = nanoTime.getAsLong();
            remove(finishing, now, tooLong);
            remove(beginning, now, tooLong);
            Waiting first = first();
            if (first != null) {
                watch(first.until() - now);
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
                // It has ended its own request; the others are still to be told.
            }
        }
    }
}
