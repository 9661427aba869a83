// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many lines a {@link LogWriter} has written and lost since it was made. A live view; thread-safe. */
public final class LogStats {
    private static final int LEVELS = Level.values().length;

    private final AtomicLongArray written = new AtomicLongArray(LEVELS);
    private final Map<DropReason, AtomicLongArray> dropped = new EnumMap<>(DropReason.class);

    LogStats() {
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new AtomicLongArray(LEVELS));
        }
    }

    public long written(Level level) {
        return written.get(level.rank);
    }

    public long dropped(Level level, DropReason reason) {
        return of(reason).get(level.rank);
    }

    /** All lost lines, whatever their level and the reason. */
    public long dropped() {
        long sum = 0;
        for (AtomicLongArray byLevel : dropped.values()) {
            for (int rank = 0; rank < LEVELS; rank++) {
                sum += byLevel.get(rank);
            }
        }
        return sum;
    }

    /** Counts written lines. Only the thread that is writing may call it, so that it need not be an atomic addition. */
    void countWritten(int levelRank, long lines) {
        written.setRelease(levelRank, written.getPlain(levelRank) + lines);
    }

    void countDropped(int levelRank, DropReason reason, long lines) {
        of(reason).getAndAdd(levelRank, lines);
    }

    private AtomicLongArray of(DropReason reason) {
        return Objects.requireNonNull(dropped.get(reason)); // the constructor has put all of them
    }
}
