// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A clock that advances only when a test waits or sets it. Not thread-safe. */
public class FakeTime implements ExportTime {
    public static final long EPOCH = 1_700_000_000_000_000_000L;

    public long epoch = EPOCH;
    public long nano = -5_000_000_000L; // nanoTime may be negative and cross zero
    public final List<Long> parks = new ArrayList<>();
    public Runnable onPark = () -> {};

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

    public void advance(long amount, TimeUnit unit) {
        epoch += unit.toNanos(amount);
        nano += unit.toNanos(amount);
    }
}
