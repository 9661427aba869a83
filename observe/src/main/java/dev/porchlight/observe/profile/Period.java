// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The durations of one route during ten seconds. Any thread may add; reading and emptying require the route's lock.
 *
 * <p>Emptying loses nothing: each counter is read and zeroed atomically. A late thread that may have added to a counter
 * already emptied learns so from {@link #add} and empties the period again.
 */
final class Period {
    final long number;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(LogLinear.BUCKETS);
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private volatile boolean emptied;

    Period(long number) {
        this.number = number;
    }

    /** Adds a duration. Returns false if this period was emptied and must be emptied again. */
    boolean add(long nanos) {
        sum.getAndAdd(nanos);
        if (nanos > longest.get()) {
            longest.accumulateAndGet(nanos, Math::max);
        }
        counts.getAndIncrement(LogLinear.index(nanos));
        return !emptied;
    }

    void copyInto(Totals totals) {
        for (int i = 0; i < LogLinear.BUCKETS; i++) {
            totals.counts[i] += counts.get(i);
        }
        totals.sum += sum.get();
        totals.longest = Math.max(totals.longest, longest.get());
    }

    void emptyInto(Totals totals) {
        emptied = true;
        for (int i = 0; i < LogLinear.BUCKETS; i++) {
            if (counts.get(i) != 0) {
                totals.counts[i] += counts.getAndSet(i, 0);
            }
        }
        totals.sum += sum.getAndSet(0);
        totals.longest = Math.max(totals.longest, longest.get());
    }
}
