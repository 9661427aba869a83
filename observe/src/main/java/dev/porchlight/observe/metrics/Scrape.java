// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;
import org.jspecify.annotations.Nullable;

/** One exposition being written: the buffer, the format, and how values look in both formats. */
final class Scrape {
    private static final int NANOS = 1_000_000_000;
    /** Up to here every whole double is exact, and reads better without an exponent. */
    private static final double EXACT = 0x1p53;

    final WireBuffer out;
    final boolean openMetrics;

    Scrape(WireBuffer out, Format format) {
        this.out = out;
        this.openMetrics = format == Format.OPENMETRICS;
    }

    void value(double value) {
        if (value == (long) value && Math.abs(value) <= EXACT) {
            out.decimal((long) value);
        } else {
            ShortestDouble.write(out, value);
        }
    }

    /** Writes nanoseconds as seconds, exactly. */
    void seconds(long nanos) {
        out.decimal(nanos / NANOS);
        int rest = (int) (nanos % NANOS);
        if (rest > 0) {
            int width = 9;
            while (rest % 10 == 0) {
                rest /= 10;
                width--;
            }
            out.put('.').paddedDecimal(rest, width);
        }
    }

    void endLine() {
        out.put('\n');
    }

    void endLine(@Nullable Exemplar exemplar) {
        if (openMetrics && exemplar != null) {
            exemplar.write(out);
        }
        out.put('\n');
    }
}
