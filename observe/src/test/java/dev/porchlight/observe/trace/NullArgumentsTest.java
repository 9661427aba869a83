// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.Backoff;
import dev.porchlight.observe.otlp.Delivery;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportReporter;
import dev.porchlight.observe.otlp.ExportWorker.StopSignal;
import dev.porchlight.observe.otlp.FakeTime;
import dev.porchlight.observe.otlp.OtlpEncoder;
import dev.porchlight.observe.otlp.StrictJson;
import dev.porchlight.observe.wire.WireBuffer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A null argument never throws and never affects another span. */
@SuppressWarnings("NullAway")
class NullArgumentsTest {
    private static final SpanContext LINKED = new SpanContext(1, 2, 3, 1, null, true);

    static List<Consumer<Tracer>> misuses() {
        return List.of(
                tracer -> tracer.start(null).end(),
                tracer -> tracer.start("x", (Attributes) null).end(),
                tracer -> tracer.start("x", Attributes.none(), (SpanKind) null).end(),
                tracer ->
                        tracer.start("x", Attributes.none(), (SpanContext) null).end(),
                tracer -> tracer.start(null, null, null, null).end(),
                tracer -> tracer.record(null, null, 1),
                tracer -> tracer.start("x").rename(null).end(),
                tracer -> tracer.start("x").event(null).end(),
                tracer -> tracer.start("x").event(null, null).end(),
                tracer -> tracer.start("x").status(null).end(),
                tracer -> tracer.start("x").status(null, null).end(),
                tracer -> tracer.start("x").exception(null).end(),
                tracer -> tracer.start("x").link(null).end(),
                tracer -> tracer.start("x").link(LINKED, null).end(),
                tracer -> tracer.start("x").set((Attributes) null).end(),
                tracer ->
                        tracer.start("x").set(null, (String) null).set(null, 1L).end(),
                tracer -> tracer.start("x").end((Attributes) null),
                tracer -> tracer.start("x").end((Throwable) null),
                tracer ->
                        tracer.start("x", Attributes.of((Map<String, ?>) null)).end(),
                tracer -> tracer.start("x", Attributes.of(null, "v").with(null, 1))
                        .end(),
                tracer -> tracer.start("x", Attributes.of(new BrokenMap())).end(),
                tracer -> HttpServerSpans.end(
                        HttpServerSpans.begin(tracer.start(HttpServerSpans.name(null, null)), null, null, null),
                        null,
                        "/x",
                        200,
                        null));
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void a_misused_span_is_exported_and_affects_no_other_span(Consumer<Tracer> misuse) throws Exception {
        List<Span> spans = Tracers.ended(tracer -> {
            tracer.start("before").end();
            misuse.accept(tracer);
            tracer.start("after").end();
        });
        WireBuffer out = new WireBuffer(0);
        encoder(false).encode(spans, out, Integer.MAX_VALUE);
        assertThat(ExportTraceServiceRequest.parseFrom(out.toByteArray())
                        .getResourceSpans(0)
                        .getScopeSpans(0)
                        .getSpansList())
                .hasSize(3)
                .noneMatch(span -> span.getName().isEmpty());
        out.clear();
        encoder(true).encode(spans, out, Integer.MAX_VALUE);
        assertThat(StrictJson.parse(out.toString())).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void a_tracer_that_is_off_tolerates_the_same(Consumer<Tracer> misuse) {
        misuse.accept(Tracer.off());
        assertThat(Span.current()).isSameAs(Span.none());
    }

    @Test
    void a_null_name_becomes_unnamed_and_a_null_rename_is_ignored() {
        List<Span> spans = Tracers.ended(tracer -> {
            tracer.start(null).event(null).end();
            tracer.start("named").rename(null).end();
        });
        assertThat(spans).extracting(Span::name).containsExactly("unnamed", "named");
        assertThat(spans.get(0).endDetails().events)
                .extracting(SpanDetails.Event::name)
                .containsExactly("unnamed");
    }

    @Test
    void headers_with_nulls_yield_no_span() {
        Propagation propagation = new Propagation(true);
        Map<String, List<String>> nullKey = new HashMap<>();
        nullKey.put(null, List.of("HTTP/1.1 200 OK"));
        assertThat(propagation.extract(nullKey)).isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract((Map<String, List<String>>) null)).isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(name -> null)).isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(name -> Collections.singletonList(null))).isEqualTo(SpanContext.NONE);
        Propagation.inject(null, (name, value) -> {
            throw new AssertionError(name);
        });
    }

    @Test
    void a_span_that_cannot_be_encoded_affects_no_other_span_of_its_batch() {
        List<Span> spans = Tracers.spans(9);
        RecordingSender sender = new RecordingSender() {
            @Override
            public boolean load(List<Span> batch) {
                if (batch.contains(spans.get(4))) {
                    throw new IllegalStateException();
                }
                return super.load(batch);
            }
        };
        ExportCounts stats = new ExportCounts(null);
        FakeTime time = new FakeTime();
        new Delivery<>(
                        sender,
                        new Backoff(() -> 0.5),
                        time,
                        new ExportReporter(Signal.TRACES, "the collector", stats, Tracers.SILENT, time),
                        new StopSignal(),
                        0,
                        batch -> {})
                .deliver(spans);
        assertThat(sender.spans()).hasSize(8).doesNotContain(spans.get(4));
        assertThat(stats.dropped(DropReason.EXPORT_FAILED)).isEqualTo(1);
    }

    private static OtlpEncoder<Span> encoder(boolean json) {
        return new OtlpEncoder<>(Signal.TRACES, Attributes.none(), json, SpanWriter::write);
    }

    private static final class BrokenMap extends AbstractMap<String, String> {
        @Override
        public Set<Entry<String, String>> entrySet() {
            throw new IllegalStateException();
        }
    }
}
