// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes whole lines to a stream, from any number of threads. Thread-safe.
 *
 * <p>Lines go to a bounded queue, which is written in batches. Lines of one thread keep their order. Calls for warnings
 * and above, and for lines of an {@link Logger#audit()} logger, return after the line is written. When the queue is
 * full, calls wait for room as long as the stream makes progress. After no write has finished for the stall timeout,
 * lines are dropped and counted, and a line reports their number once the stream accepts lines again.
 *
 * <p>A {@linkplain #background background} writer, such as {@link #standardOutput()}, writes on its own daemon thread,
 * so a stream that blocks forever never holds a calling thread for longer than the stall timeout. It gathers the lines
 * of a busy service for up to ten milliseconds. Other writers have no thread: if the stream is free, the calling thread
 * writes its line at once, so the stream must not block.
 */
public final class LogWriter implements AutoCloseable {
    private static final int QUEUE_BYTES = 1024 * 1024;
    private static final Duration STALL_TIMEOUT = Duration.ofMillis(250);
    private static final WireBuffer EMPTY_LINE = new WireBuffer(0);

    private final OutputStream sink;
    private final LineQueue queue;
    private final LogStats stats = new LogStats();
    private volatile boolean closed;
    private volatile @Nullable DropNotice notice;
    private final @Nullable Thread background;
    private @Nullable Thread atExit;

    /** Whether the last write failed. For the writing thread only. */
    private boolean torn;

    /** Encodes the line that reports dropped lines. */
    interface DropNotice {
        WireBuffer encode(long lines, long sinceMillis);
    }

    /**
     * Creates a writer to a stream that does not block. The stream stays open when the writer is closed.
     *
     * @param queueBytes how many bytes of lines may wait while the stream is busy
     * @param stallTimeout how long a line waits for room or for its write while the stream makes no progress
     */
    public LogWriter(OutputStream sink, int queueBytes, Duration stallTimeout) {
        this(sink, queueBytes, stallTimeout, false);
    }

    private LogWriter(OutputStream sink, int queueBytes, Duration stallTimeout, boolean ownThread) {
        this.sink = Objects.requireNonNull(sink, "sink");
        this.queue = new LineQueue(
                queueBytes, Objects.requireNonNull(stallTimeout, "stallTimeout").toNanos(), ownThread);
        this.background = ownThread ? new Thread(this::writeInBackground, "porchlight-log") : null;
    }

    /** Creates a writer to a stream that does not block, such as one in memory. */
    public static LogWriter to(OutputStream sink) {
        return new LogWriter(sink, QUEUE_BYTES, STALL_TIMEOUT);
    }

    /** Creates a writer with its own thread, for a stream that may block. Parameters as in the constructor. */
    public static LogWriter background(OutputStream sink, int queueBytes, Duration stallTimeout) {
        LogWriter writer = new LogWriter(sink, queueBytes, stallTimeout, true);
        Thread thread = Objects.requireNonNull(writer.background);
        thread.setDaemon(true);
        thread.start();
        return writer;
    }

    /** Creates a background writer to standard output that bypasses the lock and the encoder of {@code System.out}. */
    public static LogWriter standardOutput() {
        return standard(FileDescriptor.out);
    }

    public static LogWriter standardError() {
        return standard(FileDescriptor.err);
    }

    /** Lines that are still queued when the JVM exits are written by a shutdown hook. */
    private static LogWriter standard(FileDescriptor stream) {
        LogWriter writer = background(new FileOutputStream(stream), QUEUE_BYTES, STALL_TIMEOUT);
        writer.atExit = new Thread(writer::flush, "porchlight-log-flush");
        try {
            Runtime.getRuntime().addShutdownHook(writer.atExit);
        } catch (IllegalStateException alreadyExiting) {
            writer.atExit = null;
        }
        return writer;
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
        queue.end();
        if (atExit != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException alreadyExiting) {
                // the hook flushes once more, which is harmless
            }
        }
    }

    /** Sets the encoder of the line that reports dropped lines: the first logger's. */
    void reportDroppedBy(DropNotice encoder) {
        if (notice == null) {
            notice = encoder;
        }
    }

    void write(WireBuffer line, Level level, boolean waits) {
        if (closed) {
            stats.countDropped(level.rank, LineDropReason.CLOSED, 1);
        } else if (background == null && queue.tryBegin()) {
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
                reportDropped();
            } else {
                stats.countDropped(level.rank, LineDropReason.SINK_FAILED, 1);
            }
        }
        if (!queue.tryEnd()) {
            writeQueued();
        }
    }

    private void writeQueued() {
        int turn = 1;
        while (!writeBatch(turn)) {
            turn++;
        }
    }

    private void writeInBackground() {
        while (queue.awaitLines()) {
            writeBatch(1);
        }
    }

    private boolean writeBatch(int turn) {
        Batch batch = queue.take();
        batch.settle(stats, put(batch.bytes()));
        reportDropped();
        return queue.written(turn);
    }

    /** Reports dropped lines once the stream accepts lines again. For the writing thread only. */
    private void reportDropped() {
        long lines = stats.unreported();
        DropNotice encoder = notice;
        if (lines > 0 && !torn && encoder != null && put(encoder.encode(lines, stats.unreportedSince()))) {
            stats.reported(lines);
            stats.countWritten(Level.WARN.rank, 1);
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
