// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * Wall-clock times whose differences are true durations: an epoch reading and a monotonic one taken together, and from
 * then on only the monotonic clock.
 *
 * <p>Once a second the anchor is compared with the wall clock and renewed when they are more than 50 ms apart, as after a
 * step of NTP or a suspended machine. A span keeps the anchor it started with, so that its end never precedes its start.
 */
final class AnchoredClock {
    static final long MAX_DRIFT_NANOS = 50_000_000;
    static final long CHECK_NANOS = 1_000_000_000;

    private final TraceTime time;
    private volatile Anchor anchor;
    private volatile long checkedAt;

    AnchoredClock(TraceTime time) {
        this.time = time;
        checkedAt = time.nanoTime();
        anchor = new Anchor(time.epochNanos(), checkedAt);
    }

    long nanoTime() {
        return time.nanoTime();
    }

    /** The anchor for something that starts at this monotonic time. */
    Anchor anchor(long nanoTime) {
        // Several threads may check at once: each would set the same thing.
        if (nanoTime - checkedAt > CHECK_NANOS) {
            checkedAt = nanoTime;
            long epoch = time.epochNanos();
            if (Math.abs(epoch - anchor.epochNanos(nanoTime)) > MAX_DRIFT_NANOS) {
                anchor = new Anchor(epoch, nanoTime);
            }
        }
        return anchor;
    }

    /** One moment on both clocks. */
    record Anchor(long epoch, long nano) {
        long epochNanos(long nanoTime) {
            return epoch + (nanoTime - nano);
        }
    }
}
