// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a series takes a new exemplar: the first sampled value after each scrape that could show it.
 *
 * <p>So an exemplar is never older than the interval between two scrapes, and a recording costs one look at a counter of
 * scrapes rather than at a clock. Thread-safe; a lost race between two recordings loses one of two equally good exemplars.
 */
final class Exemplars {
    /** No traces, hence no exemplars but those whose span is given with the value. */
    static final Supplier<SpanContext> NO_TRACES = () -> SpanContext.NONE;

    private final Supplier<SpanContext> current;
    private final boolean traced;
    private final AtomicInteger round = new AtomicInteger();

    Exemplars(Supplier<SpanContext> current) {
        this.current = current;
        this.traced = current != NO_TRACES;
    }

    /** Whether the series holding {@code present} should call {@link #take} for the calling thread's span. */
    boolean wanted(@Nullable Exemplar present) {
        return traced && due(present);
    }

    /** Whether the series holding {@code present} should replace it by one of {@code span}. */
    boolean wanted(@Nullable Exemplar present, SpanContext span) {
        return span != null && span.sampled() && span.valid() && due(present);
    }

    /** A new exemplar if the calling thread is inside a sampled span, {@code present} otherwise. */
    @Nullable
    Exemplar take(@Nullable Exemplar present, double value) {
        try {
            SpanContext span = current.get();
            return wanted(present, span) ? of(span, value) : present;
        } catch (RuntimeException e) {
            return present; // a broken supplier costs exemplars, never a recording
        }
    }

    Exemplar of(SpanContext span, double value) {
        return new Exemplar(span, value, System.currentTimeMillis(), round.get());
    }

    /** Called after each scrape that showed exemplars. */
    void shown() {
        round.getAndIncrement();
    }

    private boolean due(@Nullable Exemplar present) {
        return present == null || present.round() != round.get();
    }

    /** One observed value and the span it was observed in; {@code round} is the scrape it was taken for. */
    record Exemplar(SpanContext span, double value, long epochMillis, int round) {
        /** Writes {@code  # {trace_id="..",span_id=".."} value seconds}, which follows a sample. */
        void write(WireBuffer out) {
            out.ascii(" # {trace_id=\"").hex(span.traceIdHigh()).hex(span.traceIdLow());
            out.ascii("\",span_id=\"").hex(span.spanId()).ascii("\"} ");
            ShortestDouble.write(out, value).put(' ');
            out.decimal(epochMillis / 1000).put('.').paddedDecimal((int) (epochMillis % 1000), 3);
        }
    }
}
