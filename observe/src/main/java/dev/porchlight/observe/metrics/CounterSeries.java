// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One label set of a counter. Thread-safe. */
public final class CounterSeries extends Series {
    private static final double EXACT = 0x1p53;

    private final Exemplars exemplars;
    private final LongAdder whole = new LongAdder();
    /** Created by the first fractional increment; most counters never have one. */
    private volatile @Nullable DoubleAdder parts;

    private @Nullable Exemplar exemplar; // immutable, so a racy read never sees a partial one

    CounterSeries(Family family, String[] values) {
        super(family, values);
        this.exemplars = family.settings.exemplars();
    }

    public void inc() {
        whole.increment();
        offer(1);
    }

    /** Adds {@code amount}. A negative amount is refused and counted. */
    public void inc(long amount) {
        if (amount < 0) {
            family.refuse("a counter cannot decrease");
            return;
        }
        whole.add(amount);
        offer((double) amount);
    }

    /** Adds {@code amount}. An amount that is negative, infinite or NaN is refused and counted. */
    public void inc(double amount) {
        if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
            family.refuse("a counter accepts only finite amounts of at least 0");
            return;
        }
        if (amount <= EXACT && amount == (long) amount) {
            whole.add((long) amount);
        } else {
            parts().add(amount);
        }
        offer(amount);
    }

    public double value() {
        DoubleAdder adder = parts;
        return whole.sum() + (adder == null ? 0 : adder.sum());
    }

    private void offer(double amount) {
        Exemplar present = exemplar;
        if (exemplars.wanted(present)) {
            exemplar = exemplars.take(present, amount);
        }
    }

    private DoubleAdder parts() {
        DoubleAdder adder = parts;
        if (adder == null) {
            synchronized (whole) {
                adder = parts;
                if (adder == null) {
                    adder = new DoubleAdder();
                    parts = adder;
                }
            }
        }
        return adder;
    }

    @Override
    void read(SeriesReading into) {
        DoubleAdder adder = parts;
        into.set(this, whole.sum(), adder == null ? 0 : adder.sum(), 0);
        into.exemplar = exemplar;
    }
}
