// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;

/** One observed value and the span it was observed in. {@code round} is the scrape it was taken for. */
record Exemplar(SpanContext span, double value, long epochMillis, int round) {

    /** Writes it as it stands behind a sample: {@code  # {trace_id="..",span_id=".."} value seconds}. */
    void write(WireBuffer out) {
        out.ascii(" # {trace_id=\"").hex(span.traceIdHigh()).hex(span.traceIdLow());
        out.ascii("\",span_id=\"").hex(span.spanId()).ascii("\"} ");
        ShortestDouble.write(out, value).put(' ');
        out.decimal(epochMillis / 1000).put('.').paddedDecimal((int) (epochMillis % 1000), 3);
    }
}
