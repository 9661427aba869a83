// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Live counts of the lines a {@link LogWriter} has written and lost. Thread-safe. */
public final class LogStats {
    private static final int LEVELS = Level.values().length;

    private final AtomicLongArray written = new AtomicLongArray(LEVELS);
    private final Map<LineDropReason, AtomicLongArray> dropped = new EnumMap<>(LineDropReason.class);

    /** Lines lost because of the stream, which no log line has reported yet. */
    private final AtomicLong unreported = new AtomicLong();

    private volatile long unreportedSince;

    LogStats() {
        for (LineDropReason reason : LineDropReason.values()) {
            dropped.put(reason, new AtomicLongArray(LEVELS));
        }
    }

    public long written(Level level) {
        return written.get(level.rank);
    }

    public long dropped(Level level, LineDropReason reason) {
        return of(reason).get(level.rank);
    }

    /** Returns the number of lost lines, of all levels and for all reasons. */
    public long dropped() {
        long sum = 0;
        for (AtomicLongArray byLevel : dropped.values()) {
            for (int rank = 0; rank < LEVELS; rank++) {
                sum += byLevel.get(rank);
            }
        }
        return sum;
    }

    /** Counts written lines. Called only by the writing thread, so the addition need not be atomic. */
    void countWritten(int levelRank, long lines) {
        written.setRelease(levelRank, written.getPlain(levelRank) + lines);
    }

    void countDropped(int levelRank, LineDropReason reason, long lines) {
        of(reason).getAndAdd(levelRank, lines);
        boolean byStream = reason == LineDropReason.QUEUE_FULL || reason == LineDropReason.SINK_FAILED;
        if (byStream && unreported.getAndAdd(lines) == 0) {
            unreportedSince = System.currentTimeMillis();
        }
    }

    long unreported() {
        return unreported.get();
    }

    /** Returns the time of the first unreported loss, in milliseconds since 1970. */
    long unreportedSince() {
        return unreportedSince;
    }

    void reported(long lines) {
        unreported.addAndGet(-lines);
    }

    private AtomicLongArray of(LineDropReason reason) {
        return Objects.requireNonNull(dropped.get(reason)); // the constructor adds all of them
    }
}
