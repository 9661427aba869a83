// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** Where time comes from and how it is waited for, so that a test can own both. */
interface TraceTime {
    TraceTime SYSTEM = new TraceTime() {
        @Override
        public long epochNanos() {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000L + now.getNano();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
            LockSupport.parkNanos(this, nanos);
        }
    };

    /** Nanoseconds since 1970, which may jump. */
    long epochNanos();

    /** Nanoseconds of a clock that only ever goes forward. */
    long nanoTime();

    /** Waits for at most that long; may return at any time, at once when the thread was unparked or interrupted. */
    void park(long nanos);
}
