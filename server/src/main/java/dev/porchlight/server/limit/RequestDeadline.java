// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long the request on this thread may still wait for databases and other dependencies. Each wait has its own timeout; this
 * limits their sum, and nothing else: a client may take longer to send its body.
 */
public final class RequestDeadline {
    /** How long a request may wait in total. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    private static final ThreadLocal<@Nullable RequestDeadline> CURRENT = new ThreadLocal<>();

    private final LongSupplier nanoTime;
    private long left = LIMIT.toNanos();
    private long since;
    /** Nested waits count once. */
    private int waits;

    private RequestDeadline(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Begins a request on this thread. */
    public static void begin() {
        begin(System::nanoTime);
    }

    static void begin(LongSupplier nanoTime) {
        CURRENT.set(new RequestDeadline(nanoTime));
    }

    /** Ends the request. */
    public static void end() {
        CURRENT.remove();
    }

    /** What is left, in milliseconds, never less than 0; unlimited without a request. */
    public static long leftMillis() {
        RequestDeadline deadline = CURRENT.get();
        return deadline == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadline.leftNanos()));
    }

    /** Begins a wait, which ends when the returned action is run. */
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
