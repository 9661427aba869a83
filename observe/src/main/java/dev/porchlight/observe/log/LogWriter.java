// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Writes whole lines to a stream, from any number of threads, without a background thread. Thread-safe.
 *
 * <p>If the stream is free, the calling thread writes its line at once, so the line has left the process when the log
 * call returns. If the stream is busy, the line goes to a bounded queue, which the writing thread writes in batches.
 * Lines of one thread keep their order. Calls for warnings and above, and for lines of an {@link Logger#audit()}
 * logger, return after the line is written. When the queue is full, calls wait for room as long as the stream makes
 * progress. After no write has finished for the stall timeout, lines are dropped and counted.
 */
public final class LogWriter implements AutoCloseable {
    private static final int QUEUE_BYTES = 1024 * 1024;
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(1);
    private static final WireBuffer EMPTY_LINE = new WireBuffer(0);

    private final OutputStream sink;
    private final LineQueue queue;
    private final LogStats stats = new LogStats();
    private volatile boolean closed;

    /** Whether the last write failed. For the writing thread only. */
    private boolean torn;

    /**
     * Creates a writer to a stream, which stays open when the writer is closed.
     *
     * @param queueBytes how many bytes of lines may wait while the stream is busy
     * @param stallTimeout how long a line waits for room or for its write while the stream makes no progress
     */
    public LogWriter(OutputStream sink, int queueBytes, Duration stallTimeout) {
        this.sink = sink;
        this.queue = new LineQueue(queueBytes, stallTimeout.toNanos());
    }

    public static LogWriter to(OutputStream sink) {
        return new LogWriter(sink, QUEUE_BYTES, STALL_TIMEOUT);
    }

    /** Creates a writer to standard output that bypasses the lock and the encoder of {@code System.out}. */
    public static LogWriter standardOutput() {
        return to(new FileOutputStream(FileDescriptor.out));
    }

    public static LogWriter standardError() {
        return to(new FileOutputStream(FileDescriptor.err));
    }

    public LogStats stats() {
        return stats;
    }

    /** Waits until all lines accepted before are written. Returns false if that takes longer than the stall timeout. */
    public boolean flush() {
        // An empty line is queued behind all others.
        return queue.idle() || !queue.writing() && enqueue(EMPTY_LINE, Level.TRACE, true);
    }

    /** Writes the queued lines and stops accepting new ones, which are counted as dropped. */
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

    /** Queues a line for the writing thread. Returns whether it is already written. */
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
        } catch (Throwable failure) { // a broken sink must not fail the log call; it is counted
            torn = true;
        }
        return !torn;
    }
}
