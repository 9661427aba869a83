// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Records durations of one route without a lookup.
 *
 * <p>Thread-safe. Recording tries a lock once every ten seconds and never waits for it.
 */
public final class RouteRecorder {
    private static final long PERIOD_NANOS = 10_000_000_000L;
    private static final int PERIODS = 6;

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Period> earlier = new ArrayDeque<>(PERIODS);
    private final Totals before = new Totals();
    private volatile Period current;

    RouteRecorder(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.current = new Period(number(nanoTime.getAsLong()));
    }

    /** Records a duration that ends now. Negative values are ignored; values above 104 days count as 104 days. */
    public void record(long durationNanos) {
        record(durationNanos, nanoTime.getAsLong());
    }

    /** Records a duration that ended at {@code nowNanos}, for callers that have already read {@link System#nanoTime()}. */
    public void record(long durationNanos, long nowNanos) {
        if (durationNanos < 0) {
            return;
        }
        Period period = current;
        if (period.number != number(nowNanos)) {
            period = advance(nowNanos);
        }
        if (!period.add(Math.min(durationNanos, LogLinear.LARGEST))) {
            emptyAgain(period);
        }
    }

    RouteStatistics overall() {
        lock.lock();
        try {
            Totals totals = new Totals();
            totals.add(before);
            earlier.forEach(period -> period.copyInto(totals));
            current.copyInto(totals);
            return totals.statistics();
        } finally {
            lock.unlock();
        }
    }

    /** The current period and the five before it: between 50 and 60 seconds. */
    RouteStatistics lastMinute() {
        long oldest = number(nanoTime.getAsLong()) - PERIODS;
        lock.lock();
        try {
            Totals totals = new Totals();
            earlier.stream().filter(period -> period.number > oldest).forEach(period -> period.copyInto(totals));
            if (current.number > oldest) {
                current.copyInto(totals);
            }
            return totals.statistics();
        } finally {
            lock.unlock();
        }
    }

    private Period advance(long nowNanos) {
        if (!lock.tryLock()) {
            return current; // another thread is advancing or reading: record into the previous period
        }
        try {
            long number = number(nowNanos);
            if (number > current.number) {
                earlier.addLast(current);
                current = new Period(number);
                while (!earlier.isEmpty() && earlier.getFirst().number <= number - PERIODS) {
                    earlier.removeFirst().emptyInto(before);
                }
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void emptyAgain(Period period) {
        lock.lock();
        try {
            period.emptyInto(before);
        } finally {
            lock.unlock();
        }
    }

    private static long number(long nanoTime) {
        return Math.floorDiv(nanoTime, PERIOD_NANOS);
    }
}
