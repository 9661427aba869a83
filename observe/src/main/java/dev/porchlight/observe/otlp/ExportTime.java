// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The clocks and the wait of an exporter, which tests replace. */
public interface ExportTime {
    ExportTime SYSTEM = new ExportTime() {
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

    /** Returns nanoseconds since 1970; may jump. */
    long epochNanos();

    /** Returns nanoseconds of a monotonic clock. */
    long nanoTime();

    /** Waits for at most this long. May return early, and does when the thread is unparked or interrupted. */
    void park(long nanos);
}
