// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long the request on this thread may still wait for what the service depends on. Every single wait is bounded where it
 * is waited; this bounds their sum, and nothing else: a client may take longer to send its body.
 */
public final class Patience {
    /** What a request may wait in all. */
    public static final Duration OF_A_REQUEST = Duration.ofSeconds(2);

    private static final ThreadLocal<@Nullable Patience> CURRENT = new ThreadLocal<>();

    private final LongSupplier nanoTime;
    private long left = OF_A_REQUEST.toNanos();
    private long since;
    /** Waits within waits count once. */
    private int waits;

    private Patience(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A request begins on this thread. */
    public static void begin() {
        begin(System::nanoTime);
    }

    static void begin(LongSupplier nanoTime) {
        CURRENT.set(new Patience(nanoTime));
    }

    /** The request has ended. */
    public static void end() {
        CURRENT.remove();
    }

    /** What is left, in milliseconds, never less than 0; without a request there is no end to it. */
    public static long leftMillis() {
        Patience patience = CURRENT.get();
        return patience == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(Math.max(0, patience.leftNanos()));
    }

    /** A wait begins; it ends when what is returned is run. */
    public static Runnable waiting() {
        Patience patience = CURRENT.get();
        if (patience == null) {
            return () -> {};
        }
        patience.beginWait();
        return patience::endWait;
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
