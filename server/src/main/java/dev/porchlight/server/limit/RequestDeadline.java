// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that the request on this thread may still wait for databases and other dependencies. Each wait has its own timeout;
 * this limits their sum. Waiting for the client is not included.
 */
public final class RequestDeadline {
    /** The total time that a request may wait, unless configured. */
    public static final Duration DEFAULT = Duration.ofSeconds(2);

    /** The message of exceptions when no time is left. */
    public static final String EXCEEDED = "the request deadline is exceeded";

    private static final ThreadLocal<@Nullable RequestDeadline> CURRENT = new ThreadLocal<>();

    private final LongSupplier nanoTime;
    private long left;
    private long since;
    /** The depth of nested waits, which count once. */
    private int waits;

    private RequestDeadline(Duration limit, LongSupplier nanoTime) {
        this.left = limit.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Begins a request on this thread, which may wait this long in total. */
    public static void begin(Duration limit) {
        begin(limit, System::nanoTime);
    }

    static void begin(Duration limit, LongSupplier nanoTime) {
        CURRENT.set(new RequestDeadline(limit, nanoTime));
    }

    /** Ends the request. */
    public static void end() {
        CURRENT.remove();
    }

    /** The remaining time in milliseconds, at least 0; unlimited outside a request. */
    public static long leftMillis() {
        RequestDeadline deadline = CURRENT.get();
        return deadline == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadline.leftNanos()));
    }

    /** Begins a wait, which ends when the returned action runs. */
    public static Runnable waiting() {
        RequestDeadline deadline = CURRENT.get();
        if (deadline == null) {
            return () -> {};
        }
        deadline.beginWait();
        return deadline::endWait;
    }

    private long leftNanos() {
        return waits == 0 ? left : left - (nanoTime.getAsLong() - since);
    }

    private void beginWait() {
        if (waits == 0) {
            since = nanoTime.getAsLong();
        }
        waits++;
    }

    private void endWait() {
        left = leftNanos();
        since = nanoTime.getAsLong();
        waits--;
    }
}
