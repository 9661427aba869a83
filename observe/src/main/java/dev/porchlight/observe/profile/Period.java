// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one route took during ten seconds. Many threads add; one at a time, under the route's lock, looks or empties.
 *
 * <p>Emptying loses nothing: a counter is taken and zeroed in one step, and a thread that comes so late that it may have
 * added to a counter already taken learns so from {@link #add} and has the period emptied once more.
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

    /** Adds a duration; false if this period was emptied and must be so again. */
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
