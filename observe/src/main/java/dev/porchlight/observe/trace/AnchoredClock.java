// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.otlp.ExportTime;

/**
 * Wall-clock times whose differences are true durations: reads the wall clock and the monotonic clock once together,
 * and afterwards only the monotonic clock.
 *
 * <p>Once a second the anchor is compared with the wall clock. It is renewed if they differ by more than 50 ms, for
 * example after an NTP step or a suspend. A span keeps its anchor, so that its end never precedes its start.
 */
final class AnchoredClock {
    static final long MAX_DRIFT_NANOS = 50_000_000;
    static final long CHECK_NANOS = 1_000_000_000;

    private final ExportTime time;
    private volatile Anchor anchor;
    private volatile long checkedAt;

    AnchoredClock(ExportTime time) {
        this.time = time;
        checkedAt = time.nanoTime();
        anchor = new Anchor(time.epochNanos(), checkedAt);
    }

    long nanoTime() {
        return time.nanoTime();
    }

    /** Returns the anchor for a span that starts at this monotonic time. */
    Anchor anchor(long nanoTime) {
        // Several threads may check concurrently and set the same value.
        if (nanoTime - checkedAt > CHECK_NANOS) {
            checkedAt = nanoTime;
            long epoch = time.epochNanos();
            if (Math.abs(epoch - anchor.epochNanos(nanoTime)) > MAX_DRIFT_NANOS) {
                anchor = new Anchor(epoch, nanoTime);
            }
        }
        return anchor;
    }

    /** One instant on both clocks. */
    record Anchor(long epoch, long nano) {
        long epochNanos(long nanoTime) {
            return epoch + (nanoTime - nano);
        }
    }
}
