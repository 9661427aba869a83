// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import dev.porchlight.observe.otlp.OtlpWriter;
import dev.porchlight.observe.trace.SpanContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes points, with the field numbers of {@code opentelemetry/proto/metrics/v1/metrics.proto}. Successive points of one
 * family share a metric. Not thread-safe.
 */
final class PointWriter {
    private static final int DELTA = 1;
    private static final int CUMULATIVE = 2;

    private int metric;
    private int data;
    private long[] counts = new long[16];

    /** The encoded bounds of the current family's buckets. */
    private byte @Nullable [] bounds;

    void write(OtlpWriter out, int field, List<Point> batch, int index) {
        Point point = batch.get(index);
        if (index == 0 || batch.get(index - 1).series.family != point.series.family) {
            begin(out, field, point);
        }
        point(out, point);
        if (index + 1 == batch.size() || batch.get(index + 1).series.family != point.series.family) {
            out.endList();
            out.end(data);
            out.end(metric);
        }
    }

    private void begin(OtlpWriter out, int field, Point point) {
        Family family = point.series.family;
        bounds = null;
        metric = out.element(field);
        out.text(1, "name", family.base); // without _total, which a collector adds for Prometheus
        out.text(2, "description", family.help);
        String unit = family.unit();
        out.optionalText(
                3, "unit", unit.equals("seconds") ? "s" : unit.equals("bytes") ? "By" : unit.isEmpty() ? "" : "1");
        data = switch (family.type) {
            case GAUGE -> out.begin(5, "gauge");
            case COUNTER -> out.begin(7, "sum");
            case HISTOGRAM ->
                point.exponential == null ? out.begin(9, "histogram") : out.begin(10, "exponentialHistogram");
            case SUMMARY -> out.begin(11, "summary");
        };
        if (family.type == MetricType.COUNTER || family.type == MetricType.HISTOGRAM) {
            out.number(2, "aggregationTemporality", point.delta ? DELTA : CUMULATIVE);
        }
        if (family.type == MetricType.COUNTER) {
            out.flag(3, "isMonotonic", true);
        }
        out.list("dataPoints");
    }

    private void point(OtlpWriter out, Point point) {
        MetricType type = point.series.family.type;
        int start = out.element(1);
        int labels = type != MetricType.HISTOGRAM ? 7 : point.exponential == null ? 9 : 1;
        point.labels = out.constant(point.labels, () -> labels(out, labels, point.series));
        if (type != MetricType.GAUGE) {
            out.fixed64(2, "startTimeUnixNano", point.start);
        }
        out.fixed64(3, "timeUnixNano", point.time);
        switch (type) {
            case GAUGE, COUNTER -> {
                out.real(4, "asDouble", point.sentValue());
                exemplars(out, 5, point.exemplars);
            }
            case SUMMARY -> {
                out.fixed64(4, "count", point.sentCount());
                out.real(5, "sum", point.sentValue());
            }
            case HISTOGRAM -> {
                out.fixed64(4, "count", point.sentCount());
                out.real(5, "sum", point.sentValue());
                if (point.exponential == null) {
                    explicit(out, point);
                } else {
                    exponential(out, point);
                }
            }
        }
        out.end(start);
    }

    private void explicit(OtlpWriter out, Point point) {
        Buckets buckets = point.series.family.buckets;
        if (buckets != null) {
            if (counts.length < buckets.count()) {
                counts = new long[buckets.count()];
            }
            point.sentBuckets(counts);
            out.fixed64s(6, "bucketCounts", counts, buckets.count());
            bounds = out.constant(bounds, () -> out.reals(7, "explicitBounds", buckets.finite()));
        }
        exemplars(out, 8, point.exemplars);
    }

    private static void exponential(OtlpWriter out, Point point) {
        Exponential.Reading reading = point.sentExponential();
        out.signed(6, "scale", reading.scale);
        out.fixed64(7, "zeroCount", reading.zeros);
        int positive = out.begin(8, "positive");
        out.signed(1, "offset", reading.first);
        out.bigs(2, "bucketCounts", reading.counts, reading.length);
        out.end(positive);
        exemplars(out, 11, point.exemplars);
        out.real(14, "zeroThreshold", Exponential.ZERO_THRESHOLD);
    }

    private static void exemplars(OtlpWriter out, int field, @Nullable Exemplar[] exemplars) {
        boolean open = false;
        for (Exemplar exemplar : exemplars) {
            if (exemplar != null) {
                if (!open) {
                    out.list("exemplars");
                    open = true;
                }
                int start = out.element(field);
                out.fixed64(2, "timeUnixNano", exemplar.epochMillis() * 1_000_000);
                out.real(3, "asDouble", exemplar.value());
                SpanContext span = exemplar.span();
                if (span.valid()) {
                    out.spanId(4, "spanId", span.spanId());
                    out.traceId(5, "traceId", span.traceIdHigh(), span.traceIdLow());
                }
                out.end(start);
            }
        }
        if (open) {
            out.endList();
        }
    }

    private static void labels(OtlpWriter out, int field, Series series) {
        if (series.values.length > 0) {
            out.list("attributes");
            for (int i = 0; i < series.values.length; i++) {
                out.keyValue(field, series.family.labelNames.get(i), series.values[i]);
            }
            out.endList();
        }
    }
}
