// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Decides which thread writes, and queues the lines of other threads. Thread-safe. */
final class LineQueue {
    /** After this many writes for other threads, the writer hands over. */
    private static final int MAX_TURNS = 4;

    /** How long a background writer gathers lines after a write, unless a caller waits for one: waking it costs more than a line. */
    private static final long GATHER_NANOS = 10_000_000;

    private static final int IDLE = 0;
    private static final int WRITING = 1;
    private static final int WRITING_AND_QUEUED = 2;

    /** The next step of a thread that found another thread writing. */
    enum Turn {
        WRITE_ALONE,
        WRITE_QUEUED,
        WRITTEN,
        LEFT_IN_QUEUE,
        QUEUE_FULL
    }

    private final int maxBytes;
    private final long stallNanos;

    /** Whether one thread is always the writer, and calling threads never are. */
    private final boolean background;

    /** The thread that leaves IDLE is the writer. The queue is empty unless the state is WRITING_AND_QUEUED. */
    private final AtomicInteger state = new AtomicInteger(IDLE);

    /** Read without a lock, by a thread that compares it with itself: only that thread could have written its own value. */
    private @Nullable Thread writer;

    // Guarded by the gate, which is never held during a write.
    private final ReentrantLock gate = new ReentrantLock();
    private final Condition progress = gate.newCondition();
    private final Condition work = gate.newCondition();
    private boolean parked;
    private boolean urgent;
    private boolean ended;
    private Batch queue = new Batch();
    private Batch spare = new Batch();
    private long batchesTaken;
    private long batchesWritten;
    private long stalledAt = -1;
    private boolean wantsRelief;
    private @Nullable Thread successor;

    LineQueue(int maxBytes, long stallNanos, boolean background) {
        this.maxBytes = maxBytes;
        this.stallNanos = stallNanos;
        this.background = background;
    }

    boolean idle() {
        return state.get() == IDLE;
    }

    boolean writing() {
        return writer == Thread.currentThread();
    }

    /** Makes the calling thread the writer, unless another thread is. */
    boolean tryBegin() {
        if (state.compareAndSet(IDLE, WRITING)) {
            writer = Thread.currentThread();
            return true;
        }
        return false;
    }

    /** Releases the writer role, unless queued lines must be written first. */
    boolean tryEnd() {
        writer = null;
        if (state.compareAndSet(WRITING, IDLE)) {
            return true;
        }
        writer = Thread.currentThread();
        return false;
    }

    /** Waits for lines, as the background writer. Returns false after {@link #end}. */
    boolean awaitLines() {
        gate.lock();
        try {
            writer = Thread.currentThread();
            for (long left = GATHER_NANOS; left > 0 && !urgent && !ended; ) {
                left = work.awaitNanos(left);
            }
            while (state.get() != WRITING_AND_QUEUED && !ended) {
                parked = true;
                work.await();
            }
        } catch (InterruptedException e) {
            // No caller interrupts this thread; the lines are written a moment earlier.
        } finally {
            parked = false;
            urgent = false;
            gate.unlock();
        }
        return !ended || state.get() == WRITING_AND_QUEUED;
    }

    /** Ends the background writer once the queue is empty. */
    void end() {
        gate.lock();
        try {
            ended = true;
            work.signal();
        } finally {
            gate.unlock();
        }
    }

    Batch take() {
        gate.lock();
        try {
            Batch batch = queue;
            queue = spare;
            spare = batch;
            batchesTaken++;
            state.set(WRITING);
            progress.signalAll(); // the queue has room again
            return batch;
        } finally {
            gate.unlock();
        }
    }

    /** Reports a written batch. Returns true if the writer is done: the queue is empty, or another thread takes over. */
    boolean written(int turn) {
        gate.lock();
        try {
            batchesWritten++;
            progress.signalAll();
            if (tryEnd()) {
                wantsRelief = false;
                successor = null;
                return true;
            }
            if (successor != null) {
                writer = successor;
                successor = null;
                return true;
            }
            wantsRelief = !background && turn >= MAX_TURNS;
            return false;
        } finally {
            gate.unlock();
        }
    }

    /** Queues a line for the writer, and waits until it is written if {@code waits}. */
    Turn add(WireBuffer line, Level level, boolean waits) {
        gate.lock();
        Stall stall = new Stall();
        try {
            while (background || !tryBegin()) {
                int queued = queue.bytes().length();
                if (queued > 0 && queued + line.length() > maxBytes) {
                    if (!stall.await()) {
                        return Turn.QUEUE_FULL;
                    }
                } else if (background
                        || state.compareAndSet(WRITING, WRITING_AND_QUEUED)
                        || state.get() == WRITING_AND_QUEUED) {
                    queue.add(line, level);
                    if (background) {
                        wake(waits);
                    }
                    return wantsRelief ? awaitSuccession() : waits ? awaitWritten(stall) : Turn.LEFT_IN_QUEUE;
                }
            }
            return Turn.WRITE_ALONE;
        } finally {
            stall.end();
            gate.unlock();
        }
    }

    private void wake(boolean waits) {
        state.set(WRITING_AND_QUEUED);
        urgent |= waits || queue.bytes().length() > maxBytes / 2;
        if (parked || urgent) {
            parked = false;
            work.signal();
        }
    }

    private Turn awaitWritten(Stall stall) {
        long batch = batchesTaken + 1;
        while (batchesWritten < batch) {
            if (!stall.await()) {
                return Turn.LEFT_IN_QUEUE;
            }
        }
        return Turn.WRITTEN;
    }

    /** Waits to become the writer, so that the current one does not keep writing for others forever. */
    private Turn awaitSuccession() {
        Thread me = Thread.currentThread();
        Stall stall = new Stall();
        wantsRelief = false;
        successor = me;
        while (successor == me) {
            if (!stall.await()) {
                successor = null;
                wantsRelief = true;
            }
        }
        stall.end();
        return writer == me ? Turn.WRITE_QUEUED : wantsRelief ? Turn.LEFT_IN_QUEUE : Turn.WRITTEN;
    }

    /** The time a thread still waits for progress. Interrupts are deferred, so that they do not cost a line. */
    private final class Stall {
        private long seen = batchesTaken;

        /** Zero once another thread has timed out on the current write. */
        private long nanos = stalledAt == seen ? 0 : stallNanos;

        private boolean interrupted;

        /** Waits for progress. Returns false if no time is left. */
        @SuppressWarnings("WaitNotInLoop") // every caller checks again what it waits for
        boolean await() {
            if (nanos <= 0) {
                return false;
            }
            try {
                nanos = progress.awaitNanos(nanos);
                if (batchesTaken != seen) { // a write has finished and the next has started
                    seen = batchesTaken;
                    nanos = stallNanos;
                } else if (nanos <= 0) {
                    stalledAt = seen;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
            return true;
        }

        void end() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
