// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a series takes a new exemplar: at the first sampled value after each OpenMetrics scrape.
 *
 * <p>An exemplar is thus never older than one scrape interval, and a recording reads a counter instead of a clock.
 * Thread-safe; when two recordings race, one of two equivalent exemplars is lost.
 */
final class Exemplars {
    /** No current span. Only values recorded with an explicit span get exemplars. */
    static final Supplier<SpanContext> NO_TRACES = () -> SpanContext.NONE;

    private final Supplier<SpanContext> current;
    private final boolean always;
    private final boolean traced;
    private final AtomicInteger round = new AtomicInteger();

    Exemplars(Supplier<SpanContext> current, ExemplarFilter filter) {
        this.current = current;
        this.always = filter == ExemplarFilter.ALWAYS_ON;
        this.traced = filter == ExemplarFilter.TRACE_BASED;
    }

    /** Returns whether the series holding {@code present} should call {@link #take} for the calling thread's span. */
    boolean wanted(@Nullable Exemplar present) {
        return (always || traced && current != NO_TRACES) && due(present);
    }

    /** Returns whether the series holding {@code present} should replace it with an exemplar of {@code span}. */
    boolean wanted(@Nullable Exemplar present, SpanContext span) {
        return (always || traced && span != null && span.sampled() && span.valid()) && due(present);
    }

    /** Returns a new exemplar if the calling thread is inside a sampled span, otherwise {@code present}. */
    @Nullable
    Exemplar take(@Nullable Exemplar present, double value) {
        try {
            SpanContext span = current.get();
            return wanted(present, span) ? of(span, value) : present;
        } catch (RuntimeException e) {
            return present; // a broken supplier must not fail a recording
        }
    }

    Exemplar of(SpanContext span, double value) {
        SpanContext shown = span != null && span.sampled() && span.valid() ? span : SpanContext.NONE;
        return new Exemplar(shown, value, System.currentTimeMillis(), round.get());
    }

    /** Called after each scrape or export that wrote exemplars. Returns the number of the next round. */
    int shown() {
        return round.incrementAndGet();
    }

    private boolean due(@Nullable Exemplar present) {
        return present == null || present.round() != round.get();
    }

    /** One observed value and its span, if it has one; {@code round} is the number of the scrape it was taken for. */
    record Exemplar(SpanContext span, double value, long epochMillis, int round) {
        /** Writes {@code  # {trace_id="..",span_id=".."} value seconds}, which follows a sample. */
        void write(WireBuffer out) {
            out.ascii(" # {");
            if (span.valid()) {
                out.ascii("trace_id=\"").hex(span.traceIdHigh()).hex(span.traceIdLow());
                out.ascii("\",span_id=\"").hex(span.spanId()).put('"');
            }
            out.ascii("} ");
            ShortestDouble.write(out, value).put(' ');
            out.decimal(epochMillis / 1000).put('.').paddedDecimal((int) (epochMillis % 1000), 3);
        }
    }
}
