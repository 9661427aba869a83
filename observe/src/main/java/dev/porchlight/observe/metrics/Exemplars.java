// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a series takes a new exemplar: the first sampled value after each scrape that could show it.
 *
 * <p>So an exemplar is never older than the interval between two scrapes, and a recording costs one look at a counter of
 * scrapes rather than at a clock. Thread-safe; a lost race between two recordings loses one of two equally good exemplars.
 */
final class Exemplars {
    private final ExemplarSource source;
    private final boolean enabled;
    private final AtomicInteger round = new AtomicInteger();

    Exemplars(ExemplarSource source) {
        this.source = source;
        this.enabled = source != ExemplarSource.NONE;
    }

    /** Whether the series holding {@code present} should offer its value to {@link #take}. */
    boolean wanted(@Nullable Exemplar present) {
        return enabled && due(present);
    }

    /** A new exemplar if the calling thread is inside a sampled span, {@code present} otherwise. */
    @Nullable
    Exemplar take(@Nullable Exemplar present, double value) {
        try {
            if (source.sampled()) {
                return of(source.traceIdHigh(), source.traceIdLow(), source.spanId(), value);
            }
        } catch (RuntimeException e) {
            return present; // a broken source costs exemplars, never a recording
        }
        return present;
    }

    /** Told after each scrape that showed exemplars. */
    void shown() {
        round.getAndIncrement();
    }

    /** Whether {@code present} is missing or was already shown by a scrape. */
    boolean due(@Nullable Exemplar present) {
        return present == null || present.round() != round.get();
    }

    Exemplar of(long traceIdHigh, long traceIdLow, long spanId, double value) {
        return new Exemplar(traceIdHigh, traceIdLow, spanId, value, System.currentTimeMillis(), round.get());
    }
}
