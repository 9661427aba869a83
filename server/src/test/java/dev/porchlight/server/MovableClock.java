// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The real time plus an offset set by the test. Thread-safe. */
public final class MovableClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    /** A clock that starts at this time. */
    static MovableClock startingAt(Instant now) {
        MovableClock clock = new MovableClock();
        clock.advance(Duration.between(Instant.now(), now));
        return clock;
    }

    public synchronized void advance(Duration by) {
        ahead = ahead.plus(by);
    }

    /** Monotonic nanoseconds of a clock that only moves when the test advances it. */
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
        throw new UnsupportedOperationException("the service uses only UTC");
    }
}
