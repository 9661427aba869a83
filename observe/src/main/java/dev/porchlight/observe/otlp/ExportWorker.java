// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The thread that delivers the items of one signal: when a batch is full, after the delay, on a flush and on close. It is
 * a daemon, so it never keeps the process alive. No other thread sends these items, so requests are never concurrent.
 */
public final class ExportWorker<T> {
    /** The time that a close without a limit waits for the last items to be sent. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** The time an interrupted worker has to count lost items. */
    private static final long GRACE_MILLIS = 250;

    private final ItemSource<T> source;
    private final Delivery<T> delivery;
    private final ExportReporter reporter;
    private final ExportCounts stats;
    private final ExportTime time;
    private final StopSignal stop = new StopSignal();
    private final int batchSize;
    private final long delayNanos;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    private volatile long settled;
    private volatile long flushTo;

    /** The position of the item that wakes the waiting worker; unreachable while it works. */
    private final AtomicLong wakeAt = new AtomicLong(Long.MAX_VALUE);

    private ExportWorker(
            OtlpSettings settings,
            Sender<T> sender,
            ItemSource<T> source,
            Consumer<List<T>> accepted,
            Consumer<ExportEvent> listener,
            ExportTime time) {
        this.source = source;
        this.time = time;
        stats = new ExportCounts(source);
        reporter = new ExportReporter(settings.signal(), settings.target(), stats, listener, time);
        Backoff backoff = new Backoff(() -> ThreadLocalRandom.current().nextDouble());
        delivery = new Delivery<>(sender, backoff, time, reporter, stop, settings.requestLimitNanos(), accepted);
        batchSize = settings.batching().batchSize();
        delayNanos = Math.max(
                TimeUnit.MILLISECONDS.toNanos(1), settings.batching().delay().toNanos());
        thread = new Thread(this::run, "porchlight-" + settings.signal().word() + "-export");
        thread.setDaemon(true);
    }

    /**
     * Starts a worker.
     *
     * @param accepted receives each batch that the collector accepted, in the worker
     * @param listener notified of lost items and of collector failures, by the worker or the closing thread; exceptions it
     *     throws are ignored
     */
    public static <T> ExportWorker<T> start(
            OtlpSettings settings,
            Sender<T> sender,
            ItemSource<T> source,
            Consumer<List<T>> accepted,
            Consumer<ExportEvent> listener,
            ExportTime time) {
        ExportWorker<T> worker = new ExportWorker<>(settings, sender, source, accepted, listener, time);
        worker.thread.start();
        return worker;
    }

    public ExportStats stats() {
        return stats;
    }

    /** Reports the result of adding an item to the queue. Called by any thread; never waits. */
    public void added(long position) {
        if (position == ItemQueue.FULL) {
            stats.countDropped(DropReason.QUEUE_FULL, 1);
        } else if (position == ItemQueue.CLOSED) {
            stats.countLate();
        } else {
            long due = wakeAt.get();
            // A plain write could be late and overwrite the value that the worker has set for its next wait.
            if (position + 1 >= due && wakeAt.compareAndSet(due, Long.MAX_VALUE)) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Counts an item that could not be added. */
    public void failed(DropReason reason) {
        stats.countDropped(reason, 1);
    }

    /** Sends all items up to now. Returns false if that takes longer than {@code limit}. */
    public boolean flush(Duration limit) {
        long target = source.due();
        long left = limit.toNanos();
        lock.lock();
        try {
            flushTo = Math.max(flushTo, target);
            LockSupport.unpark(thread);
            while (settled < target) {
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

    /** Stops accepting items, sends remaining ones within {@code limit}, and returns the number of lost items. */
    public long close(Duration limit) {
        boolean first = !stop.requested();
        source.close();
        if (first) {
            stop.request(time.nanoTime() + limit.toNanos());
        }
        LockSupport.unpark(thread);
        awaitEnd(Math.max(1, limit.toMillis()));
        if (thread.isAlive()) {
            thread.interrupt();
            awaitEnd(GRACE_MILLIS);
        }
        long lost = stats.dropped(DropReason.SHUTDOWN) + (thread.isAlive() ? source.position() - settled : 0);
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
        List<T> batch = new ArrayList<>();
        try {
            boolean stopping;
            do {
                awaitWork();
                stopping = stop.requested();
                export(batch, source.due());
                reporter.checkOverflow();
            } while (!stopping);
        } finally {
            if (settled < source.position()) {
                long position = source.drain(batch, Integer.MAX_VALUE);
                reporter.dropped(DropReason.SHUTDOWN, batch.size());
                settle(batch, position);
            }
            delivery.close();
        }
    }

    private void awaitWork() {
        long until = time.nanoTime() + delayNanos;
        wakeAt.set(settled + batchSize);
        for (long left = delayNanos; left > 0 && !workWaits(); left = until - time.nanoTime()) {
            time.park(left);
        }
        wakeAt.set(Long.MAX_VALUE);
    }

    private boolean workWaits() {
        return stop.requested() || settled < flushTo || source.size() >= batchSize;
    }

    private void export(List<T> batch, long target) {
        while (settled < target && !thread.isInterrupted() && stop.remaining(time.nanoTime()) > 0) {
            long position = source.drain(batch, batchSize);
            if (!batch.isEmpty()) {
                delivery.deliver(batch);
            }
            settle(batch, position);
        }
    }

    private void settle(List<T> batch, long position) {
        lock.lock();
        try {
            settled = position;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
        batch.clear();
    }

    /** A request to stop by a deadline. Thread-safe. */
    public static final class StopSignal {
        private volatile boolean requested;
        private volatile long deadline;

        public void request(long deadlineNano) {
            deadline = deadlineNano;
            requested = true;
        }

        public boolean requested() {
            return requested;
        }

        /** Returns the time until the deadline, unlimited before a request. */
        long remaining(long nanoTime) {
            return requested ? deadline - nanoTime : Long.MAX_VALUE;
        }
    }
}
