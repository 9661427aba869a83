// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;

/** One observed value and the span it was observed in. {@code round} is the scrape it was taken for. */
record Exemplar(long traceIdHigh, long traceIdLow, long spanId, double value, long epochMillis, int round) {

    /** Writes it as it stands behind a sample: {@code  # {trace_id="..",span_id=".."} value seconds}. */
    void write(WireBuffer out) {
        out.ascii(" # {trace_id=\"").hex(traceIdHigh).hex(traceIdLow);
        out.ascii("\",span_id=\"").hex(spanId).ascii("\"} ");
        ShortestDouble.write(out, value).put(' ');
        out.decimal(epochMillis / 1000).put('.').paddedDecimal((int) (epochMillis % 1000), 3);
    }
}
