// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The real time, moved as far as a test wants. Thread-safe. */
public final class MovableClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    /** A clock that shows this time now, and goes on from there. */
    static MovableClock startingAt(Instant now) {
        MovableClock clock = new MovableClock();
        clock.advance(Duration.between(Instant.now(), now));
        return clock;
    }

    public synchronized void advance(Duration by) {
        ahead = ahead.plus(by);
    }

    /** Monotonic nanoseconds of a clock that stands still until it is moved. */
    public long nanoTime() {
        return ahead.toNanos();
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the service knows UTC only");
    }
}
