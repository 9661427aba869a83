// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Passes one event of each kind per second, such as the log lines of a fault that every request meets, and counts the
 * others. Thread-safe.
 */
public final class OncePerSecond {
    /** The result for an event that is held back. */
    public static final long HELD_BACK = -1;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Kinds are constants in the service and in libraries; this bounds those of the libraries. */
    private static final int MAX_KINDS = 1_000;

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

    /** Returns {@link #HELD_BACK}, or the number of events of this kind held back since the last one that passed. */
    public long pass(String kind) {
        if (kinds.size() >= MAX_KINDS) {
            kinds.clear();
        }
        return kinds.computeIfAbsent(kind, unused -> new Kind()).pass(nanoTime.getAsLong());
    }
}
