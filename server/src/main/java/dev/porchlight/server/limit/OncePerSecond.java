// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets one of many like events through each second, such as the log lines of one fault that every request meets, and counts
 * the others. Thread-safe.
 */
public final class OncePerSecond {
    /** What is returned for an event that is held back. */
    public static final long HELD_BACK = -1;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Kinds are words of ours or of libraries, but nobody counted the libraries'. */
    private static final int MOST_KINDS = 1_000;

    private final LongSupplier nanoTime;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    private static final class Kind {
        private boolean seen;
        private long last;
        private long heldBack;

        synchronized long pass(long now) {
            if (seen && now - last < SECOND) {
                heldBack++;
                return HELD_BACK;
            }
            long others = heldBack;
            seen = true;
            last = now;
            heldBack = 0;
            return others;
        }
    }

    public OncePerSecond() {
        this(System::nanoTime);
    }

    OncePerSecond(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** {@link #HELD_BACK}, or how many of this kind were held back since the last that was let through. */
    public long pass(String kind) {
        if (kinds.size() >= MOST_KINDS) {
            kinds.clear();
        }
        return kinds.computeIfAbsent(kind, unused -> new Kind()).pass(nanoTime.getAsLong());
    }
}
