// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes whole lines to a stream, from any number of threads, without a thread of its own. Thread-safe.
 *
 * <p>Whoever finds the stream free writes at once, so an undisturbed line has left the process when the log call returns.
 * Whoever finds it busy leaves the line in a bounded queue, and the thread that is writing takes all that has queued in
 * one write. Lines of one thread keep their order. Warnings and above, and lines of an {@link Logger#audit()} logger, wait
 * until they are written. Any line waits for room in a full queue for as long as the stream finishes writes. When the
 * stream blocks, the thread inside the write waits with it; once no write has finished within the writer's patience,
 * lines that find the queue full are dropped and counted.
 */
public final class LogWriter implements AutoCloseable {
    private static final int QUEUE_BYTES = 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** After so many writes for others a thread looks for another to go on. */
    private static final int TURNS = 4;

    private static final WireBuffer NOTHING = new WireBuffer(0);

    private static final int IDLE = 0;
    private static final int WRITING = 1;
    private static final int WRITING_AND_QUEUED = 2;

    private final OutputStream sink;
    private final int queueBytes;
    private final long patienceNanos;
    private final LogStats stats = new LogStats();

    /** Leaving IDLE makes a thread the writer. The queue is empty unless the state is WRITING_AND_QUEUED. */
    private final AtomicInteger state = new AtomicInteger(IDLE);

    private volatile boolean closed;

    // The writer's alone.
    private boolean torn;

    /** Read without a lock to recognise oneself: a thread sees its own writes, and another's can never be its own. */
    private @Nullable Thread writer;

    // Guarded by the gate, which is never held while writing.
    private final ReentrantLock gate = new ReentrantLock();
    private final Condition progress = gate.newCondition();
    private Batch queue = new Batch();
    private Batch spare = new Batch();
    private long batchesTaken;
    private long batchesWritten;
    private long stuckAt = -1;
    private boolean wantsRelief;
    private @Nullable Thread successor;

    /**
     * A writer to a stream, which stays open when the writer is closed.
     *
     * @param queueBytes how many bytes of lines may wait while the stream is busy
     * @param patience how long a line waits, for room or for its write, while the stream finishes none
     */
    public LogWriter(OutputStream sink, int queueBytes, Duration patience) {
        this.sink = sink;
        this.queueBytes = queueBytes;
        this.patienceNanos = patience.toNanos();
    }

    public static LogWriter to(OutputStream sink) {
        return new LogWriter(sink, QUEUE_BYTES, PATIENCE);
    }

    /** A writer to the process's standard output, past the lock and the encoder of {@code System.out}. */
    public static LogWriter standardOutput() {
        return to(new FileOutputStream(FileDescriptor.out));
    }

    public static LogWriter standardError() {
        return to(new FileOutputStream(FileDescriptor.err));
    }

    public LogStats stats() {
        return stats;
    }

    /** Waits until every line accepted before is written; false when that took longer than the writer's patience. */
    public boolean flush() {
        // An empty line that waits is behind all the others.
        return state.get() == IDLE || writer != Thread.currentThread() && queue(NOTHING, Level.TRACE, true);
    }

    /** Writes what has queued and takes no more. Lines that still come are counted as dropped. */
    @Override
    public void close() {
        closed = true;
        flush();
    }

    void write(WireBuffer line, Level level, boolean waits) {
        if (closed) {
            stats.countDropped(level.rank, DropReason.CLOSED, 1);
        } else if (state.compareAndSet(IDLE, WRITING)) {
            writeAlone(line, level);
        } else if (writer == Thread.currentThread()) {
            stats.countDropped(level.rank, DropReason.REENTRANT, 1);
        } else {
            queue(line, level, waits);
        }
    }

    private void writeAlone(WireBuffer line, Level level) {
        writer = Thread.currentThread();
        if (line.length() > 0) {
            if (put(line)) {
                stats.countWritten(level.rank, 1);
            } else {
                stats.countDropped(level.rank, DropReason.SINK_FAILED, 1);
            }
        }
        writer = null;
        if (!state.compareAndSet(WRITING, IDLE)) {
            writer = Thread.currentThread();
            writeQueued();
        }
    }

    /** Writes batch after batch until nothing has queued meanwhile, or another thread has taken over. */
    private void writeQueued() {
        for (int turn = 1; ; turn++) {
            Batch batch;
            gate.lock();
            try {
                batch = queue;
                queue = spare;
                spare = batch;
                batchesTaken++;
                state.set(WRITING);
                progress.signalAll(); // there is room again
            } finally {
                gate.unlock();
            }
            batch.settle(stats, put(batch.bytes()));
            gate.lock();
            try {
                batchesWritten++;
                progress.signalAll();
                if (stops(turn)) {
                    return;
                }
            } finally {
                gate.unlock();
            }
        }
    }

    /** Ends this thread's writing, if nothing has queued meanwhile or another thread is there to go on; says whether. */
    private boolean stops(int turn) {
        writer = null;
        if (state.compareAndSet(WRITING, IDLE)) {
            wantsRelief = false;
            successor = null;
            return true;
        }
        if (successor != null) {
            writer = successor;
            successor = null;
            return true;
        }
        writer = Thread.currentThread();
        wantsRelief = turn >= TURNS;
        return false;
    }

    /** Leaves a line to the thread that is writing; true when it has been written by the time this returns. */
    private boolean queue(WireBuffer line, Level level, boolean waits) {
        Turn turn;
        gate.lock();
        try {
            turn = admit(line, level, waits);
        } finally {
            gate.unlock();
        }
        if (turn == Turn.WRITE_ALONE) {
            writeAlone(line, level);
        } else if (turn == Turn.WRITE_QUEUED) {
            writeQueued();
        }
        return turn != Turn.UNKNOWN;
    }

    private Turn admit(WireBuffer line, Level level, boolean waits) {
        Patience patience = new Patience();
        try {
            while (!state.compareAndSet(IDLE, WRITING)) {
                int queued = queue.bytes().length();
                if (queued > 0 && queued + line.length() > queueBytes) {
                    if (!patience.await()) {
                        stats.countDropped(level.rank, DropReason.QUEUE_FULL, 1);
                        return Turn.UNKNOWN;
                    }
                } else if (state.compareAndSet(WRITING, WRITING_AND_QUEUED) || state.get() == WRITING_AND_QUEUED) {
                    queue.add(line, level);
                    return wantsRelief ? awaitSuccession() : waits ? awaitWritten(patience) : Turn.UNKNOWN;
                }
            }
            return Turn.WRITE_ALONE;
        } finally {
            patience.end();
        }
    }

    private Turn awaitWritten(Patience patience) {
        long batch = batchesTaken + 1;
        while (batchesWritten < batch) {
            if (!patience.await()) {
                return Turn.UNKNOWN;
            }
        }
        return Turn.WRITTEN;
    }

    /** Waits to become the writer: a thread that has written much for others would otherwise never come to an end. */
    private Turn awaitSuccession() {
        Thread me = Thread.currentThread();
        Patience patience = new Patience();
        wantsRelief = false;
        successor = me;
        while (successor == me) {
            if (!patience.await()) {
                successor = null;
                wantsRelief = true;
            }
        }
        patience.end();
        return writer == me ? Turn.WRITE_QUEUED : wantsRelief ? Turn.UNKNOWN : Turn.WRITTEN;
    }

    private boolean put(WireBuffer bytes) {
        try {
            if (torn) {
                sink.write('\n'); // what failed may have left half a line
            }
            bytes.writeTo(sink);
            sink.flush();
            torn = false;
        } catch (Throwable failure) { // a broken sink is counted, never thrown into whoever logs
            torn = true;
        }
        return !torn;
    }

    /** What a thread has to do after it found the stream busy. */
    private enum Turn {
        WRITE_ALONE,
        WRITE_QUEUED,
        WRITTEN,
        UNKNOWN
    }

    /** The time one thread will still wait for progress. Interrupts are kept for later: a line is not lost to them. */
    private final class Patience {
        private long seen = batchesTaken;

        /** None once another thread has lost patience with the write at hand. */
        private long nanos = stuckAt == seen ? 0 : patienceNanos;

        private boolean interrupted;

        /** Waits for any progress; false when there is no time left. */
        @SuppressWarnings("WaitNotInLoop") // every caller looks again at what it waits for
        boolean await() {
            if (nanos <= 0) {
                return false;
            }
            try {
                nanos = progress.awaitNanos(nanos);
                if (batchesTaken != seen) { // a write has finished, and the next has begun
                    seen = batchesTaken;
                    nanos = patienceNanos;
                } else if (nanos <= 0) {
                    stuckAt = seen;
                }
            } catch (InterruptedException laterThen) {
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
