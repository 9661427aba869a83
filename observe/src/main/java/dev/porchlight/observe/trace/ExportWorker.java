// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that delivers ended spans from the queue: when a batch is full, after the delay, on a flush and on close.
 * It is a daemon, so it never keeps the process alive. No other thread sends spans, so requests are never concurrent.
 */
final class ExportWorker {
    /** The time an interrupted worker has to count lost spans. */
    private static final long GRACE_MILLIS = 250;

    private final SpanQueue queue;
    private final Delivery delivery;
    private final ExportReporter reporter;
    private final TraceStats stats;
    private final TraceTime time;
    private final StopSignal stop;
    private final int batchSize;
    private final long delayNanos;
    private final Thread thread = new Thread(this::run, "porchlight-span-export");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    private final AtomicLong settled = new AtomicLong();
    private volatile long flushTo;

    /** The number of queued spans that wakes the waiting worker; unreachable while it works. */
    private final AtomicLong wakeAt = new AtomicLong(Long.MAX_VALUE);

    ExportWorker(
            SpanQueue queue,
            Delivery delivery,
            ExportReporter reporter,
            TraceStats stats,
            TraceTime time,
            StopSignal stop,
            TraceSettings.Batching batching) {
        this.queue = queue;
        this.delivery = delivery;
        this.reporter = reporter;
        this.stats = stats;
        this.time = time;
        this.stop = stop;
        this.batchSize = batching.batchSize();
        this.delayNanos =
                Math.max(TimeUnit.MILLISECONDS.toNanos(1), batching.delay().toNanos());
        thread.setDaemon(true);
    }

    ExportWorker start() {
        thread.start();
        return this;
    }

    /** Queues an ended span, or counts it as dropped. Called by any thread; never waits. */
    void add(Span span) {
        long position = queue.offer(span);
        if (position == SpanQueue.FULL) {
            stats.countDropped(SpanDropReason.QUEUE_FULL, 1);
        } else if (position == SpanQueue.CLOSED) {
            stats.countLate();
        } else {
            long due = wakeAt.get();
            // A plain write could be late and overwrite the value that the worker has set for its next wait.
            if (position + 1 >= due && wakeAt.compareAndSet(due, Long.MAX_VALUE)) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Sends all spans that have ended. Returns false if that takes longer than {@code limit}. */
    boolean flush(Duration limit) {
        long target = queue.position();
        long left = limit.toNanos();
        lock.lock();
        try {
            flushTo = Math.max(flushTo, target);
            LockSupport.unpark(thread);
            while (settled.get() < target) {
                if (left <= 0) {
                    return false;
                }
                left = progress.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Stops accepting spans, sends queued ones within {@code limit}, and returns the number of lost spans. */
    long close(Duration limit) {
        boolean first = !stop.requested();
        queue.close();
        if (first) {
            stop.request(time.nanoTime() + limit.toNanos());
        }
        LockSupport.unpark(thread);
        awaitEnd(Math.max(1, limit.toMillis()));
        if (thread.isAlive()) {
            thread.interrupt();
            awaitEnd(GRACE_MILLIS);
        }
        long lost = stats.dropped(SpanDropReason.SHUTDOWN) + (thread.isAlive() ? queue.position() - settled.get() : 0);
        if (first && lost > 0) {
            reporter.lost(lost);
        }
        return lost;
    }

    private void awaitEnd(long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<Span> batch = new ArrayList<>(batchSize);
        try {
            while (!stop.requested()) {
                awaitWork();
                export(batch, queue.position());
                reporter.checkOverflow();
            }
            export(batch, queue.position());
        } finally {
            queue.drain(batch, Integer.MAX_VALUE);
            reporter.dropped(SpanDropReason.SHUTDOWN, batch.size());
            settle(batch);
            delivery.close();
        }
    }

    private void awaitWork() {
        long until = time.nanoTime() + delayNanos;
        wakeAt.set(queue.given() + batchSize);
        for (long left = delayNanos; left > 0 && !workWaits(); left = until - time.nanoTime()) {
            time.park(left);
        }
        wakeAt.set(Long.MAX_VALUE);
    }

    private boolean workWaits() {
        return stop.requested() || settled.get() < flushTo || queue.size() >= batchSize;
    }

    private void export(List<Span> batch, long target) {
        while (settled.get() < target && !thread.isInterrupted() && stop.remaining(time.nanoTime()) > 0) {
            queue.drain(batch, batchSize);
            delivery.deliver(batch);
            settle(batch);
        }
    }

    private void settle(List<Span> batch) {
        lock.lock();
        try {
            settled.addAndGet(batch.size());
            progress.signalAll();
        } finally {
            lock.unlock();
        }
        batch.clear();
    }

    /** A request to stop by a deadline. Thread-safe. */
    static final class StopSignal {
        private volatile boolean requested;
        private volatile long deadline;

        void request(long deadlineNano) {
            deadline = deadlineNano;
            requested = true;
        }

        boolean requested() {
            return requested;
        }

        /** Returns the time until the deadline, unlimited before a request. */
        long remaining(long nanoTime) {
            return requested ? deadline - nanoTime : Long.MAX_VALUE;
        }
    }
}
