// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A clock that advances only when a test waits or sets it. Not thread-safe. */
class FakeTime implements TraceTime {
    static final long EPOCH = 1_700_000_000_000_000_000L;

    long epoch = EPOCH;
    long nano = -5_000_000_000L; // nanoTime may be negative and cross zero
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
