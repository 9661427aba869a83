// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.otlp.FakeTime;
import dev.porchlight.observe.wire.StackText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SpanTest {
    @Test
    void a_span_ends_once_despite_repeated_calls() throws Exception {
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = Tracers.open(sender)) {
            for (int i = 0; i < 1000; i++) {
                Span span = tracer.start("span");
                ExportWorkerTest.inParallel(2, () -> span.end(Attributes.of("a", 1)));
                span.end(new IllegalStateException());
                assertThat(span.recording()).isFalse();
            }
        }
        assertThat(sender.spans()).hasSize(1000).doesNotHaveDuplicates();
        assertThat(sender.spans()).allMatch(span -> span.endDetails() == null);
    }

    @Test
    void an_ended_span_ignores_changes() {
        Span span = Tracers.ended(tracer -> {
                    Span started = tracer.start("before", Attributes.of("a", 1));
                    started.end(Attributes.of("a", 2, "b", 3));
                    started.rename("after")
                            .set("a", 9)
                            .set("c", 9L)
                            .set("d", 1.0)
                            .set("e", true)
                            .set("f", List.of());
                    started.set(Attributes.of("g", 1))
                            .event("h")
                            .status(SpanStatus.ERROR)
                            .exception(new Exception());
                    started.link(new SpanContext(1, 2, 3, 1, "", true)).end(new Exception());
                })
                .get(0);
        assertThat(span.name()).isEqualTo("before");
        assertThat(attributes(span)).isEqualTo(Map.of("a", 2L, "b", 3L));
        assertThat(span.endDetails()).isNull();
    }

    @Test
    void ending_with_an_exception_sets_error_and_adds_an_event() {
        Span span = Tracers.ended(tracer ->
                        tracer.start("x").end(new IllegalStateException("no \"luck\"", new RuntimeException("why"))))
                .get(0);
        SpanDetails details = span.endDetails();
        assertThat(details.status).isEqualTo(SpanStatus.ERROR);
        assertThat(details.description).isEqualTo("no \"luck\"");
        assertThat(details.events).hasSize(1);
        SpanDetails.Event event = details.events.get(0);
        assertThat(event.name()).isEqualTo("exception");
        assertThat(event.epochNanos()).isBetween(span.startEpochNanos(), span.endEpochNanos());
        Map<String, Object> values = attributes(event.attributes());
        assertThat(values).containsOnlyKeys("exception.type", "exception.message", "exception.stacktrace");
        assertThat(values)
                .containsEntry("exception.type", "java.lang.IllegalStateException")
                .containsEntry("exception.message", "no \"luck\"");
        assertThat((String) values.get("exception.stacktrace"))
                .startsWith("java.lang.IllegalStateException: no \"luck\"\n\tat ")
                .contains("Caused by: java.lang.RuntimeException: why");
    }

    @Test
    void recording_an_exception_does_not_set_the_status() {
        Span span = Tracers.ended(tracer ->
                        tracer.start("x").exception(new IllegalStateException()).end())
                .get(0);
        assertThat(span.endDetails().status).isEqualTo(SpanStatus.UNSET);
        assertThat(span.endDetails().events).hasSize(1);
    }

    @Test
    void exceptions_that_fail_to_print_are_tolerated_and_endless_ones_bounded() {
        Exception hostile = new Exception() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        };
        Exception endless = new Exception("x".repeat(100_000));
        List<Span> spans = Tracers.ended(tracer -> {
            tracer.start("hostile").end(hostile);
            tracer.start("endless").end(endless);
        });
        Map<String, Object> first =
                attributes(spans.get(0).endDetails().events.get(0).attributes());
        assertThat(first).containsEntry("exception.message", "!error: java.lang.IllegalStateException");
        Map<String, Object> second =
                attributes(spans.get(1).endDetails().events.get(0).attributes());
        assertThat((String) second.get("exception.stacktrace")).hasSizeLessThanOrEqualTo(StackText.MAX_LENGTH);
    }

    @Test
    void ok_is_final_and_only_errors_have_a_description() {
        List<Span> spans = Tracers.ended(tracer -> {
            tracer.start("ok").status(SpanStatus.OK, "fine").end(new IllegalStateException("late"));
            tracer.start("corrected")
                    .status(SpanStatus.ERROR, "bad")
                    .status(SpanStatus.OK)
                    .end();
            tracer.start("unset")
                    .status(SpanStatus.ERROR, "bad")
                    .status(SpanStatus.UNSET)
                    .end();
        });
        assertThat(spans.get(0).endDetails().status).isEqualTo(SpanStatus.OK);
        assertThat(spans.get(0).endDetails().description).isNull();
        assertThat(spans.get(1).endDetails().status).isEqualTo(SpanStatus.OK);
        assertThat(spans.get(1).endDetails().description).isNull();
        assertThat(spans.get(2).endDetails().status).isEqualTo(SpanStatus.ERROR);
        assertThat(spans.get(2).endDetails().description).isEqualTo("bad");
    }

    @Test
    void a_span_holds_128_of_each_and_counts_dropped_ones() {
        SpanContext other = new SpanContext(1, 2, 3, 1, "", true);
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 130; i++) {
            many.put("key" + i, i);
        }
        Span span = Tracers.ended(tracer -> {
                    Span started = tracer.start("crowded");
                    for (int i = 0; i < 130; i++) {
                        started.set("key" + i, i)
                                .event("event", Attributes.of(many))
                                .link(other, Attributes.of(many));
                    }
                    started.set("key0", "again").link(SpanContext.NONE).end();
                })
                .get(0);
        SpanDetails details = span.endDetails();
        assertThat(span.endAttributes().size()).isEqualTo(128);
        assertThat(span.endAttributes().dropped()).isEqualTo(2);
        assertThat(attributes(span)).containsEntry("key0", "again");
        assertThat(details.events).hasSize(128);
        assertThat(details.droppedEvents).isEqualTo(2);
        assertThat(details.links).hasSize(128);
        assertThat(details.droppedLinks).isEqualTo(2);
        assertThat(details.events.get(0).attributes().dropped()).isEqualTo(2);
        assertThat(details.links.get(0).attributes().dropped()).isEqualTo(2);
    }

    @Test
    void long_values_are_truncated_between_code_points() {
        Span span = Tracers.ended(
                        Map.of("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "3"),
                        tracer -> tracer.start("x", Attributes.of("start", "12345"))
                                .set("text", "abcdef")
                                .set("pair", "ab😀")
                                .set("list", List.of("abcdef", 123456))
                                .set("map", Map.of("key", "abcdef"))
                                .set("bytes", new byte[] {1, 2, 3, 4})
                                .set("number", 123456)
                                .event("e", Attributes.of("text", "abcdef"))
                                .end())
                .get(0);
        assertThat(attributes(span))
                .containsEntry("start", "123")
                .containsEntry("text", "abc")
                .containsEntry("pair", "ab")
                .containsEntry("list", List.of("abc", 123456L))
                .containsEntry("map", Attributes.of("key", "abc"))
                .containsEntry("bytes", new byte[] {1, 2, 3})
                .containsEntry("number", 123456L);
        assertThat(attributes(span.endDetails().events.get(0).attributes())).containsEntry("text", "abc");
    }

    @Test
    void the_last_value_wins_regardless_of_the_thread() throws Exception {
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = Tracers.open(Map.of("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "3"), sender)) {
            Span span = tracer.start("passed on", Attributes.of("a", 1, "b", 1));
            ExportWorkerTest.inParallel(1, () -> span.set("b", 2).set("c", 2).set("d", 2));
            span.set("c", 3).set(Attributes.of("e", 3));
            ExportWorkerTest.inParallel(1, () -> span.end(Attributes.of("a", 4)));
            span.set("a", 5).set(Attributes.of("b", 5)).end();
        }
        assertThat(sender.spans()).hasSize(1);
        assertThat(attributes(sender.spans().get(0))).isEqualTo(Map.of("a", 4L, "b", 2L, "c", 3L));
        assertThat(sender.spans().get(0).endAttributes().dropped()).isEqualTo(2);
    }

    @Test
    void one_thread_may_end_a_span_while_another_sets_attributes() throws Exception {
        RecordingSender sender = new RecordingSender();
        int rounds = 500;
        try (Tracer tracer = Tracers.open(sender)) {
            for (int round = 0; round < rounds; round++) {
                Span span = tracer.start("shared");
                Thread ending = new Thread(span::end);
                ending.start();
                for (int i = 0; i < 100; i++) {
                    span.set("key" + i, i);
                }
                ending.join();
                span.set("late", true);
                if (round % 100 == 0) {
                    tracer.flush(Tracers.SOON);
                }
            }
        }
        assertThat(sender.spans()).hasSize(rounds).allSatisfy(span -> {
            Map<String, Object> attributes = attributes(span);
            attributes.forEach((key, value) -> assertThat(key).isEqualTo("key" + value));
        });
    }

    @Test
    void concurrent_attributes_are_not_lost() throws Exception {
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = Tracers.open(sender)) {
            for (int round = 0; round < 200; round++) {
                Span span = tracer.start("shared");
                AtomicInteger number = new AtomicInteger();
                ExportWorkerTest.inParallel(4, () -> {
                    int base = 25 * number.getAndIncrement();
                    for (int i = 0; i < 25; i++) {
                        span.set("key" + (base + i), base + i);
                        span.event("event");
                    }
                });
                span.end();
            }
        }
        for (Span span : sender.spans()) {
            assertThat(span.endAttributes().size()).isEqualTo(100);
            assertThat(span.endDetails().events).hasSize(100);
            attributes(span).forEach((key, value) -> assertThat(key).isEqualTo("key" + value));
        }
    }

    @Test
    void the_start_is_wall_clock_time_and_the_duration_monotonic() {
        FakeTime time = new FakeTime() {
            @Override
            public void park(long nanos) {
                LockSupport.parkNanos(1_000_000);
            }
        };
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = Tracer.open(Tracers.settings(Map.of()), sender, Tracers.SILENT, time)) {
            Span span = tracer.start("x");
            time.advance(7, TimeUnit.MILLISECONDS);
            span.event("seen");
            time.epoch -= TimeUnit.HOURS.toNanos(1); // the clock is set back
            time.advance(3, TimeUnit.SECONDS);
            span.end();
            tracer.start("after").end();
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
        }
        Span span = sender.spans().get(0);
        assertThat(span.startEpochNanos()).isEqualTo(FakeTime.EPOCH);
        assertThat(span.endDetails().events.get(0).epochNanos()).isEqualTo(FakeTime.EPOCH + 7_000_000);
        assertThat(span.endEpochNanos() - span.startEpochNanos()).isEqualTo(3_007_000_000L);
        assertThat(sender.spans().get(1).startEpochNanos())
                .as("the next span uses the new time")
                .isEqualTo(time.epoch);
    }

    @Test
    void a_span_stays_usable_after_an_event_with_null_attributes() {
        Span span = Tracers.ended(tracer ->
                        tracer.start("x").event("null", null).set("set", true).end())
                .get(0);
        assertThat(attributes(span)).containsEntry("set", true);
        assertThat(span.endDetails().events).hasSize(1);
    }

    static Map<String, Object> attributes(Span span) {
        return attributes(span.endAttributes());
    }

    private static Map<String, Object> attributes(AttributeSet set) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < set.size(); i++) {
            map.put(set.key(i), set.value(i));
        }
        return map;
    }
}
