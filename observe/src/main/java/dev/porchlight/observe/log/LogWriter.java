// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Writes whole lines to a stream, from any number of threads, without a thread of its own. Thread-safe.
 *
 * <p>A thread that finds the stream free writes at once, so its line has left the process when the log call returns. A
 * thread that finds it busy leaves its line in a bounded queue, which the writing thread writes in one piece. Lines of one
 * thread keep their order. Warnings and above, and lines of an {@link Logger#audit()} logger, wait until they are written.
 * Any line waits for room in a full queue for as long as the stream finishes writes. If the stream blocks, the thread
 * inside the write waits with it; once no write has finished within the stall timeout, lines that find the queue full are
 * dropped and counted.
 */
public final class LogWriter implements AutoCloseable {
    private static final int QUEUE_BYTES = 1024 * 1024;
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(1);
    private static final WireBuffer EMPTY_LINE = new WireBuffer(0);

    private final OutputStream sink;
    private final LineQueue queue;
    private final LogStats stats = new LogStats();
    private volatile boolean closed;

    /** Whether the last write failed; for the writing thread. */
    private boolean torn;

    /**
     * A writer to a stream, which stays open when the writer is closed.
     *
     * @param queueBytes how many bytes of lines may wait while the stream is busy
     * @param stallTimeout how long a line waits, for room or for its write, while the stream finishes no write
     */
    public LogWriter(OutputStream sink, int queueBytes, Duration stallTimeout) {
        this.sink = sink;
        this.queue = new LineQueue(queueBytes, stallTimeout.toNanos());
    }

    public static LogWriter to(OutputStream sink) {
        return new LogWriter(sink, QUEUE_BYTES, STALL_TIMEOUT);
    }

    /** A writer to the process's standard output, without the lock and the encoder of {@code System.out}. */
    public static LogWriter standardOutput() {
        return to(new FileOutputStream(FileDescriptor.out));
    }

    public static LogWriter standardError() {
        return to(new FileOutputStream(FileDescriptor.err));
    }

    public LogStats stats() {
        return stats;
    }

    /** Waits until every line accepted before is written; false if that took longer than the stall timeout. */
    public boolean flush() {
        // An empty line that waits is behind all others.
        return queue.idle() || !queue.writing() && enqueue(EMPTY_LINE, Level.TRACE, true);
    }

    /** Writes the queued lines and accepts no more. Later lines are counted as dropped. */
    @Override
    public void close() {
        closed = true;
        flush();
    }

    void write(WireBuffer line, Level level, boolean waits) {
        if (closed) {
            stats.countDropped(level.rank, LineDropReason.CLOSED, 1);
        } else if (queue.tryBegin()) {
            writeAlone(line, level);
        } else if (queue.writing()) {
            stats.countDropped(level.rank, LineDropReason.REENTRANT, 1);
        } else {
            enqueue(line, level, waits);
        }
    }

    private void writeAlone(WireBuffer line, Level level) {
        if (line.length() > 0) {
            if (put(line)) {
                stats.countWritten(level.rank, 1);
            } else {
                stats.countDropped(level.rank, LineDropReason.SINK_FAILED, 1);
            }
        }
        if (!queue.tryEnd()) {
            writeQueued();
        }
    }

    private void writeQueued() {
        for (int turn = 1; ; turn++) {
            Batch batch = queue.take();
            batch.settle(stats, put(batch.bytes()));
            if (queue.written(turn)) {
                return;
            }
        }
    }

    /** Leaves a line to the writing thread; true if it has been written by the time this returns. */
    private boolean enqueue(WireBuffer line, Level level, boolean waits) {
        LineQueue.Turn turn = queue.add(line, level, waits);
        switch (turn) {
            case WRITE_ALONE -> writeAlone(line, level);
            case WRITE_QUEUED -> writeQueued();
            case QUEUE_FULL -> stats.countDropped(level.rank, LineDropReason.QUEUE_FULL, 1);
            case WRITTEN, LEFT_IN_QUEUE -> {}
        }
        return turn != LineQueue.Turn.LEFT_IN_QUEUE && turn != LineQueue.Turn.QUEUE_FULL;
    }

    private boolean put(WireBuffer bytes) {
        try {
            if (torn) {
                sink.write('\n'); // the failed write may have left half a line
            }
            bytes.writeTo(sink);
            sink.flush();
            torn = false;
        } catch (Throwable failure) { // a broken sink is counted, and must not fail the log call
            torn = true;
        }
        return !torn;
    }
}
