// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** One label set of a gauge. Thread-safe. */
public final class GaugeSeries extends Series {
    private final AtomicLong bits = new AtomicLong();

    GaugeSeries(Family family, String[] values) {
        super(family, values);
    }

    public void set(double value) {
        bits.set(Double.doubleToRawLongBits(value));
    }

    /** Adds {@code amount}, which may be negative. */
    public void add(double amount) {
        long before;
        long after;
        do {
            before = bits.get();
            after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + amount);
        } while (!bits.weakCompareAndSetVolatile(before, after));
    }

    public double value() {
        return Double.longBitsToDouble(bits.get());
    }

    @Override
    void read(SeriesReading into) {
        into.set(this, 0, value(), 0);
    }
}
