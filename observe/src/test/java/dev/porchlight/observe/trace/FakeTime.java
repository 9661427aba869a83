// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A time that stands still until somebody waits for it or moves it. For one thread. */
class FakeTime implements TraceTime {
    static final long EPOCH = 1_700_000_000_000_000_000L;

    long epoch = EPOCH;
    long nano = -5_000_000_000L; // nanoTime may be negative, and pass through zero
    final List<Long> parks = new ArrayList<>();
    Runnable onPark = () -> {};

    @Override
    public long epochNanos() {
        return epoch;
    }

    @Override
    public long nanoTime() {
        return nano;
    }

    @Override
    public void park(long nanos) {
        parks.add(nanos);
        advance(nanos, TimeUnit.NANOSECONDS);
        onPark.run();
    }

    void advance(long amount, TimeUnit unit) {
        epoch += unit.toNanos(amount);
        nano += unit.toNanos(amount);
    }
}
