// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnknownFieldSet;
import dev.porchlight.observe.trace.SpanContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reads the exposition by the field numbers of io.prometheus.client; PrometheusTest has the judge from outside. */
class ProtobufExpositionTest {
    private static final SpanContext SPAN = new SpanContext(1, 2, 3, 1, "", false);
    private final MetricRegistry registry = new MetricRegistry(100, overflow -> {}, misuse -> {}, () -> SPAN);

    @Test
    void every_type_has_its_message() throws IOException {
        registry.counter("logins_total")
                .help("Logins.")
                .labels("result")
                .register()
                .with("é\n")
                .inc(3);
        registry.gauge("heap_bytes").help("Heap.").register().set(2.5);
        registry.summary("batches").help("Batches.").read(totals -> totals.sample(4, 2.5));
        registry.counter("unused_total").help("No series.").labels("a").register();
        Map<String, UnknownFieldSet> families = scrape();
        assertThat(families).containsOnlyKeys("batches", "heap_bytes", "logins_total");

        UnknownFieldSet logins = families.get("logins_total");
        assertThat(text(logins, 2)).isEqualTo("Logins.");
        assertThat(number(logins, 3)).isZero();
        UnknownFieldSet metric = message(logins, 4);
        assertThat(text(message(metric, 1), 1)).isEqualTo("result");
        assertThat(text(message(metric, 1), 2)).isEqualTo("é\n");
        assertThat(real(message(metric, 3), 1)).isEqualTo(3);
        UnknownFieldSet exemplar = message(message(metric, 3), 2);
        assertThat(text(message(exemplar, 1), 2)).isEqualTo("00000000000000010000000000000002");
        assertThat(real(exemplar, 2)).isEqualTo(3);

        assertThat(number(families.get("heap_bytes"), 3)).isEqualTo(1);
        assertThat(text(families.get("heap_bytes"), 5)).isEqualTo("bytes");
        assertThat(real(message(message(families.get("heap_bytes"), 4), 2), 1)).isEqualTo(2.5);
        UnknownFieldSet summary = message(message(families.get("batches"), 4), 4);
        assertThat(number(summary, 1)).isEqualTo(4);
        assertThat(real(summary, 2)).isEqualTo(2.5);
    }

    @Test
    void a_histogram_has_explicit_and_native_buckets() throws IOException {
        Histogram histogram =
                registry.histogram("wait_seconds").help("W.").buckets(1, 2).register();
        registry.scrape(Format.PROTOBUF, new ByteArrayOutputStream());
        List.of(0.0, 1.0, 1.0, 1.5).forEach(histogram::observe);
        UnknownFieldSet message = message(message(scrape().get("wait_seconds"), 4), 7);
        assertThat(number(message, 1)).isEqualTo(4);
        assertThat(real(message, 2)).isEqualTo(3.5);
        List<Long> explicit = message.getField(3).getLengthDelimitedList().stream()
                .map(ProtobufExpositionTest::parse)
                .map(bucket -> number(bucket, 1))
                .toList();
        assertThat(explicit).containsExactly(3L, 4L, 4L);
        assertThat(CodedInputStream.decodeZigZag32((int) number(message, 5))).isEqualTo(3);
        assertThat(real(message, 6)).isEqualTo(0x1p-64);
        assertThat(number(message, 7)).as("zero").isEqualTo(1);
        UnknownFieldSet span = message(message, 12);
        assertThat(CodedInputStream.decodeZigZag32((int) number(span, 1)))
                .as("1.0 is the upper bound of bucket 0")
                .isZero();
        assertThat(number(span, 2)).isEqualTo(6);
        CodedInputStream deltas =
                message.getField(13).getLengthDelimitedList().get(0).newCodedInput();
        List<Long> counts = new ArrayList<>();
        long count = 0;
        while (!deltas.isAtEnd()) {
            count += deltas.readSInt64();
            counts.add(count);
        }
        assertThat(counts).containsExactly(2L, 0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void histograms_record_native_buckets_only_if_they_are_wanted() throws IOException {
        Histogram before = registry.histogram("before").help("B.").register();
        before.observe(1);
        registry.scrape(Format.OPENMETRICS, new ByteArrayOutputStream());
        assertThat(before.only().exponentialActive()).isFalse();
        registry.scrape(Format.PROTOBUF, new ByteArrayOutputStream());
        assertThat(before.only().exponentialActive()).isTrue();
        registry.scrape(Format.PROTOBUF, new ByteArrayOutputStream());
        assertThat(registry.histogram("after").help("A.").register().only().exponentialActive())
                .isTrue();
    }

    private Map<String, UnknownFieldSet> scrape() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        registry.scrape(Format.PROTOBUF, out);
        InputStream in = new ByteArrayInputStream(out.toByteArray());
        Map<String, UnknownFieldSet> families = new TreeMap<>();
        UnknownFieldSet.Builder builder = UnknownFieldSet.newBuilder();
        while (builder.mergeDelimitedFrom(in)) {
            UnknownFieldSet family = builder.build();
            families.put(text(family, 1), family);
            builder = UnknownFieldSet.newBuilder();
        }
        return families;
    }

    private static UnknownFieldSet message(UnknownFieldSet in, int field) {
        return parse(in.getField(field).getLengthDelimitedList().get(0));
    }

    private static UnknownFieldSet parse(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(UnknownFieldSet in, int field) {
        return in.getField(field).getLengthDelimitedList().get(0).toStringUtf8();
    }

    private static long number(UnknownFieldSet in, int field) {
        return in.getField(field).getVarintList().get(0);
    }

    private static double real(UnknownFieldSet in, int field) {
        return Double.longBitsToDouble(in.getField(field).getFixed64List().get(0));
    }
}
