// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.Backoff;
import dev.porchlight.observe.otlp.Delivery;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportReporter;
import dev.porchlight.observe.otlp.ExportWorker.StopSignal;
import dev.porchlight.observe.otlp.FakeTime;
import dev.porchlight.observe.otlp.Sender;
import dev.porchlight.observe.otlp.Sender.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final List<Span> SPANS = Tracers.spans(10);
    private static final Outcome.Retry RETRY = new Outcome.Retry("HTTP 503", -1);

    private final FakeTime time = new FakeTime();
    private final RecordingSender sender = new RecordingSender();
    private final Tracers.RecordedEvents events = new Tracers.RecordedEvents();
    private final ExportCounts stats = new ExportCounts(null);
    private final ExportReporter reporter = new ExportReporter(Signal.TRACES, "the collector", stats, events, time);
    private final StopSignal stop = new StopSignal();
    private final Delivery<Span> delivery = delivery(sender);

    @AfterEach
    void an_interrupt_is_preserved() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void the_same_batch_is_retried_with_growing_delays() {
        for (int i = 0; i < 8; i++) {
            sender.script.add(RETRY);
        }
        delivery.deliver(SPANS);
        assertThat(seconds()).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        assertThat(sender.loaded).as("encoded once").hasSize(1);
        assertThat(sender.sent).hasSize(9);
        assertThat(stats.exported()).isEqualTo(10);
        assertThat(stats.dropped()).isZero();
        assertThat(stats.batches(ExportResult.RETRY)).isEqualTo(8);
        assertThat(stats.batches(ExportResult.SUCCESS)).isEqualTo(1);
    }

    @Test
    void the_collectors_requested_delay_is_used() {
        sender.script.add(new Outcome.Retry("HTTP 429", TimeUnit.SECONDS.toNanos(42)));
        sender.script.add(RETRY);
        delivery.deliver(SPANS);
        assertThat(seconds()).containsExactly(42L, 2L);
    }

    @Test
    void a_permanently_refused_batch_is_dropped_at_once() {
        sender.script.add(new Outcome.Refused("HTTP 400"));
        delivery.deliver(SPANS);
        assertThat(sender.sent).hasSize(1);
        assertThat(time.parks).isEmpty();
        assertThat(stats.dropped(DropReason.EXPORT_FAILED)).isEqualTo(10);
        assertThat(stats.batches(ExportResult.FAILED)).isEqualTo(1);
        assertThat(events.messages()).containsExactly("Cannot send spans to the collector: HTTP 400");
        assertThat(events.events.get(0).details())
                .isEqualTo(Map.of("failedAttempts", 1L, "failingForSeconds", 0L, "lost", 10L));
    }

    @Test
    void a_batch_is_dropped_after_failing_for_15_minutes() {
        for (int i = 0; i < 100; i++) {
            sender.script.add(RETRY);
        }
        long before = time.nano;
        delivery.deliver(SPANS);
        assertThat(stats.dropped(DropReason.EXPORT_FAILED)).isEqualTo(10);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(time.nano - before)).isCloseTo(900, within(61L));
    }

    @Test
    void spans_rejected_in_a_partial_success_are_counted_and_not_retried() {
        sender.script.add(new Outcome.Accepted(3, "too old"));
        delivery.deliver(SPANS);
        assertThat(sender.sent).hasSize(1);
        assertThat(stats.exported()).isEqualTo(7);
        assertThat(stats.dropped(DropReason.REJECTED)).isEqualTo(3);
        assertThat(stats.batches(ExportResult.PARTIAL)).isEqualTo(1);
        assertThat(events.messages()).containsExactly("The collector rejected spans: too old");
    }

    @Test
    void reported_rejections_are_capped_at_the_batch_size() {
        sender.script.add(new Outcome.Accepted(99, ""));
        sender.script.add(new Outcome.Accepted(-5, ""));
        delivery.deliver(SPANS);
        delivery.deliver(SPANS);
        assertThat(stats.dropped(DropReason.REJECTED)).isEqualTo(10);
        assertThat(stats.exported()).isEqualTo(10);
    }

    @Test
    void a_too_large_batch_is_split_and_a_too_large_span_dropped() {
        sender.maxSpans = 3;
        delivery.deliver(SPANS);
        assertThat(sender.sent).allMatch(batch -> batch.size() <= 3);
        assertThat(sender.spans()).containsExactlyElementsOf(SPANS);
        assertThat(stats.exported()).isEqualTo(10);

        sender.maxSpans = 0;
        delivery.deliver(SPANS);
        assertThat(stats.dropped(DropReason.TOO_LARGE)).isEqualTo(10);
    }

    @Test
    void a_request_gets_the_configured_time_limit() {
        delivery.deliver(SPANS);
        stop.request(time.nano + 1000);
        delivery.deliver(SPANS);
        assertThat(sender.limits).containsExactly(TimeUnit.SECONDS.toNanos(10), 1000L);
    }

    @Test
    void a_stop_request_allows_one_more_attempt_and_then_only_within_the_deadline() {
        for (int i = 0; i < 10; i++) {
            sender.script.add(RETRY);
        }
        time.onPark = () -> {
            if (!stop.requested()) {
                time.nano -= time.parks.get(0); // woken at once
                stop.request(time.nano + TimeUnit.SECONDS.toNanos(5));
            }
        };
        delivery.deliver(SPANS);
        assertThat(seconds())
                .as("an interrupted wait, one more wait, and no third because four seconds exceed the deadline")
                .containsExactly(1L, 2L);
        assertThat(sender.sent).hasSize(3);
        assertThat(stats.dropped(DropReason.SHUTDOWN)).isEqualTo(10);
    }

    @Test
    void an_interrupted_batch_is_counted_as_lost() {
        sender.script.add(RETRY);
        time.onPark = () -> Thread.currentThread().interrupt();
        delivery.deliver(SPANS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stats.dropped(DropReason.SHUTDOWN)).isEqualTo(10);
    }

    @Test
    void a_failing_sender_and_a_throwing_listener_are_tolerated() {
        Sender<Span> broken = new RecordingSender() {
            @Override
            public boolean load(List<Span> batch) {
                throw new StackOverflowError();
            }
        };
        ExportReporter throwing = new ExportReporter(
                Signal.TRACES,
                "the collector",
                stats,
                event -> {
                    throw new IllegalStateException();
                },
                time);
        new Delivery<>(broken, new Backoff(() -> 0.5), time, throwing, stop, 0, batch -> {}).deliver(SPANS);
        assertThat(stats.dropped(DropReason.EXPORT_FAILED)).isEqualTo(10);
        delivery.deliver(SPANS);
        assertThat(stats.exported()).isEqualTo(10);
    }

    private Delivery<Span> delivery(Sender<Span> given) {
        return new Delivery<>(
                given, new Backoff(() -> 0.5), time, reporter, stop, TimeUnit.SECONDS.toNanos(10), batch -> {});
    }

    private List<Long> seconds() {
        return time.parks.stream().map(TimeUnit.NANOSECONDS::toSeconds).toList();
    }
}
