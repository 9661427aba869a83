// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.Exemplars.Exemplar;
import dev.porchlight.observe.otlp.ProtoWriter;
import dev.porchlight.observe.wire.WireBuffer;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes readings as delimited messages of {@code io.prometheus.client.MetricFamily}. A histogram has its explicit buckets
 * and native ones. Not thread-safe; for one scrape.
 */
final class ProtobufWriter implements SeriesReading.Visitor {
    /** OTLP's bucket {@code i} is Prometheus's bucket {@code i + 1}. */
    private static final int INDEX_SHIFT = 1;

    private static final String NO_NAME = "";

    private final WireBuffer out = new WireBuffer(64 * 1024);
    private final ProtoWriter proto = new ProtoWriter(out);
    private int begin;
    private int family = -1;
    private boolean empty;

    void write(Metric<?>[] metrics) {
        SeriesReading reading = new SeriesReading();
        reading.wantsExponential = true;
        for (Metric<?> metric : metrics) {
            metric.read(reading, this);
        }
        endFamily();
    }

    void writeTo(OutputStream stream) throws IOException {
        out.writeTo(stream);
    }

    @Override
    public void metric(Family next) {
        endFamily();
        begin = out.length();
        family = proto.delimited();
        empty = true;
        proto.text(1, NO_NAME, next.name);
        proto.text(2, NO_NAME, next.help);
        proto.number(
                3,
                NO_NAME,
                switch (next.type) {
                    case COUNTER -> 0;
                    case GAUGE -> 1;
                    case SUMMARY -> 2;
                    case HISTOGRAM -> 4;
                });
        proto.optionalText(5, NO_NAME, next.unit());
    }

    private void endFamily() {
        if (family >= 0 && empty) {
            out.truncate(begin); // a family without series is not allowed
        } else if (family >= 0) {
            proto.end(family);
        }
        family = -1;
    }

    @Override
    public void series(SeriesReading row) {
        empty = false;
        int metric = proto.element(4);
        for (int i = 0; i < row.series.values.length; i++) {
            label(1, row.series.family.labelNames.get(i), row.series.values[i]);
        }
        switch (row.series.family.type) {
            case GAUGE -> {
                int gauge = proto.element(2);
                proto.real(1, NO_NAME, row.value());
                proto.end(gauge);
            }
            case COUNTER -> {
                int counter = proto.element(3);
                proto.real(1, NO_NAME, row.value());
                exemplar(2, row.exemplar);
                proto.end(counter);
            }
            case SUMMARY -> {
                int summary = proto.element(4);
                proto.big(1, NO_NAME, row.count);
                proto.real(2, NO_NAME, row.value());
                proto.end(summary);
            }
            case HISTOGRAM -> histogram(row);
        }
        proto.end(metric);
    }

    private void histogram(SeriesReading row) {
        Exponential.Reading buckets = row.exponential.limited();
        int histogram = proto.element(7);
        proto.big(1, NO_NAME, buckets.count()); // Prometheus refuses a count that differs from the native buckets
        proto.real(2, NO_NAME, row.value());
        explicit(row);
        proto.signed(5, NO_NAME, buckets.scale);
        proto.real(6, NO_NAME, Exponential.ZERO_THRESHOLD);
        proto.big(7, NO_NAME, buckets.zeros);
        if (buckets.length > 0) {
            int span = proto.element(12);
            proto.signed(1, NO_NAME, buckets.first + INDEX_SHIFT);
            proto.number(2, NO_NAME, buckets.length);
            proto.end(span);
            long[] deltas = new long[buckets.length];
            for (int i = 0; i < deltas.length; i++) {
                deltas[i] = ProtoWriter.zigzag(buckets.counts[i] - (i == 0 ? 0 : buckets.counts[i - 1]));
            }
            proto.bigs(13, NO_NAME, deltas, deltas.length);
        }
        proto.end(histogram);
    }

    private void explicit(SeriesReading row) {
        Buckets bounds = row.series.family.buckets;
        for (int i = 0; bounds != null && i < bounds.count(); i++) {
            int bucket = proto.element(3);
            proto.big(1, NO_NAME, row.buckets[i]);
            proto.real(2, NO_NAME, bounds.bound(i));
            exemplar(3, row.exemplars[i]);
            proto.end(bucket);
        }
    }

    private void exemplar(int field, @Nullable Exemplar exemplar) {
        if (exemplar == null) {
            return;
        }
        int start = proto.element(field);
        if (exemplar.span().valid()) {
            label(1, "trace_id", exemplar.span().traceIdHex());
            label(1, "span_id", exemplar.span().spanIdHex());
        }
        proto.real(2, NO_NAME, exemplar.value());
        int time = proto.element(3);
        proto.big(1, NO_NAME, exemplar.epochMillis() / 1000);
        proto.number(2, NO_NAME, (int) (exemplar.epochMillis() % 1000) * 1_000_000);
        proto.end(time);
        proto.end(start);
    }

    private void label(int field, String name, String value) {
        int pair = proto.element(field);
        proto.text(1, NO_NAME, name);
        proto.text(2, NO_NAME, value);
        proto.end(pair);
    }
}
