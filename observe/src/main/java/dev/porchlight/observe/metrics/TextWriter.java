// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.WireBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes readings in the Prometheus text format or in OpenMetrics. Not thread-safe; reusable.
 *
 * <p>The text before a value is the same in every scrape. It is rendered once and cached in {@link Family#text} and
 * {@link Series#text}.
 */
final class TextWriter implements SeriesReading.Visitor {
    private static final int FIRST_CAPACITY = 64 * 1024;
    private static final int NANOS = 1_000_000_000;
    /** Whole doubles up to this value are exact and are written without an exponent. */
    private static final double EXACT = 0x1p53;

    private final WireBuffer out = new WireBuffer(FIRST_CAPACITY);
    private final SeriesReading reading = new SeriesReading();
    private boolean openMetrics;

    /** Writes all metrics at once. */
    void write(Metric<?>[] metrics, Format format) {
        out.clear();
        openMetrics = format == Format.OPENMETRICS;
        for (Metric<?> metric : metrics) {
            metric.read(reading, this);
        }
        if (openMetrics) {
            out.ascii("# EOF\n");
        }
    }

    void writeTo(OutputStream stream) throws IOException {
        out.writeTo(stream);
    }

    int capacity() {
        return out.capacity();
    }

    @Override
    public void metric(Family family) {
        byte[][] text = family.text;
        if (text == null) {
            text = render(family);
            family.text = text;
        }
        out.put(text[openMetrics ? 1 : 0]);
    }

    @Override
    public void series(SeriesReading row) {
        byte[][] text = row.series.text;
        if (text == null) {
            text = render(row.series);
            row.series.text = text;
        }
        switch (row.series.family.type) {
            case COUNTER, GAUGE -> {
                out.put(text[openMetrics ? 1 : 0]);
                if (row.part == 0) {
                    out.decimal(row.whole);
                } else {
                    number(row.whole + row.part);
                }
                endLine(row.exemplar);
            }
            case SUMMARY -> {
                out.put(text[0]).decimal(row.count).put('\n').put(text[1]);
                number(row.part);
                out.put('\n');
            }
            case HISTOGRAM -> histogram(row, text);
        }
    }

    private void histogram(SeriesReading row, byte[][] text) {
        byte[][] le = row.series.family.text;
        for (int bucket = 2; le != null && bucket < le.length; bucket++) {
            out.put(text[2]).put(le[bucket]).decimal(row.buckets[bucket - 2]);
            endLine(row.exemplars[bucket - 2]);
        }
        out.put(text[1]);
        if (row.part == 0) {
            seconds(row.whole);
        } else {
            number(row.value());
        }
        out.put('\n').put(text[0]).decimal(row.count).put('\n');
    }

    private void number(double value) {
        if (value == (long) value && Math.abs(value) <= EXACT) {
            out.decimal((long) value);
        } else {
            ShortestDouble.write(out, value);
        }
    }

    /** Writes nanoseconds as exact seconds. */
    private void seconds(long nanos) {
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

    private void endLine(@Nullable Exemplar exemplar) {
        if (openMetrics && exemplar != null) {
            exemplar.write(out);
        }
        out.put('\n');
    }

    /** Renders the header in the text format and in OpenMetrics, and the {@code le} label of each bucket. */
    private static byte[][] render(Family family) {
        Buckets buckets = family.buckets;
        byte[][] text = new byte[2 + (buckets == null ? 0 : buckets.count())][];
        WireBuffer header = new WireBuffer(128);
        String help = family.help.replace("\\", "\\\\").replace("\n", "\\n");
        header.ascii("# HELP ").ascii(family.name).put(' ').utf8(help).put('\n');
        header.ascii("# TYPE ").ascii(family.name).put(' ').ascii(family.type.label());
        text[0] = header.put('\n').toByteArray();
        header.clear().ascii("# TYPE ").ascii(family.base).put(' ').ascii(family.type.label());
        header.put('\n');
        if (!family.unit().isEmpty()) {
            header.ascii("# UNIT ")
                    .ascii(family.base)
                    .put(' ')
                    .ascii(family.unit())
                    .put('\n');
        }
        header.ascii("# HELP ").ascii(family.base).put(' ').utf8(escape(family.help));
        text[1] = header.put('\n').toByteArray();
        for (int i = 2; buckets != null && i < text.length; i++) {
            text[i] = le(buckets.bound(i - 2));
        }
        return text;
    }

    /**
     * Renders a canonical bound, so that a series has the same labels in both formats: {@code le="1.0"} }, never {@code
     * le="1"} }.
     */
    private static byte[] le(double bound) {
        WireBuffer out = new WireBuffer(16).ascii("le=\"");
        int from = out.length();
        ShortestDouble.write(out, bound);
        if (out.toString().chars().skip(from).allMatch(c -> c >= '0' && c <= '9')) {
            out.ascii(".0");
        }
        return out.ascii("\"} ").toByteArray();
    }

    /**
     * Renders the text before the values of a series. For a counter or gauge: one per format. Otherwise: for the count,
     * the sum and the buckets.
     */
    private static byte[][] render(Series series) {
        Family family = series.family;
        byte[] pairs = pairs(family.labelNames, series.values);
        String[] names = family.type == MetricType.COUNTER || family.type == MetricType.GAUGE
                ? new String[] {family.name, family.openMetricsName()}
                : new String[] {family.base + "_count", family.base + "_sum"};
        byte[][] text = new byte[3][];
        for (int i = 0; i < names.length; i++) {
            WireBuffer out = new WireBuffer(names[i].length() + pairs.length + 3).ascii(names[i]);
            if (pairs.length > 0) {
                out.put('{').put(pairs).put('}');
            }
            text[i] = out.put(' ').toByteArray();
        }
        WireBuffer bucket = new WireBuffer(64 + pairs.length);
        bucket.ascii(family.base).ascii("_bucket{").put(pairs);
        text[2] = (pairs.length > 0 ? bucket.put(',') : bucket).toByteArray();
        return Arrays.copyOf(text, family.type == MetricType.HISTOGRAM ? 3 : 2);
    }

    /** Renders the label pairs: {@code a="1",b="2"}. */
    private static byte[] pairs(List<String> names, String[] values) {
        WireBuffer out = new WireBuffer(64);
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                out.put(',');
            }
            out.ascii(names.get(i)).ascii("=\"").utf8(escape(values[i])).put('"');
        }
        return out.toByteArray();
    }

    /** Escapes backslash, quote and line feed only, as the formats require. */
    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
