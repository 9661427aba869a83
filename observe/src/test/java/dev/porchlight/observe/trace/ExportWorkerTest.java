// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.Sender;
import dev.porchlight.observe.otlp.Sender.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExportWorkerTest {
    private static final String HOUR = "3600000";
    private final RecordingSender sender = new RecordingSender();

    @Test
    void a_full_batch_is_sent_at_once() {
        try (Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", HOUR, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10"), sender)) {
            for (int batch = 1; batch <= 3; batch++) { // the worker waits by the second batch at the latest
                long all = 10L * batch;
                end(tracer, 10);
                await().until(() -> tracer.stats().exported() == all);
                assertThat(sender.sent).hasSize(batch);
            }
        }
    }

    @Test
    void a_partial_batch_is_sent_after_the_delay() {
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "20"), sender)) {
            end(tracer, 3);
            await().until(() -> tracer.stats().exported() == 3);
            end(tracer, 2);
            await().until(() -> tracer.stats().exported() == 5);
        }
    }

    @Test
    void no_request_is_sent_without_spans() throws Exception {
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1"), sender)) {
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
            Thread.sleep(50); // many export intervals
        }
        assertThat(sender.loaded).isEmpty();
    }

    @Test
    void requests_are_sequential_and_bounded_and_every_span_is_accounted_for() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger largest = new AtomicInteger();
        Sender<Span> counting = new RecordingSender() {
            @Override
            public boolean load(List<Span> batch) {
                largest.accumulateAndGet(batch.size(), Math::max);
                return true;
            }

            @Override
            public Outcome send(long limitNanos) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                inFlight.decrementAndGet();
                return Outcome.ACCEPTED;
            }
        };
        Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1"), counting);
        inParallel(8, () -> end(tracer, 20_000));
        assertThat(tracer.close(Duration.ofSeconds(30))).isZero();

        ExportStats stats = tracer.stats();
        assertThat(tracer.started()).isEqualTo(160_000);
        assertThat(stats.offered()).isEqualTo(160_000);
        assertThat(stats.exported() + stats.dropped(DropReason.QUEUE_FULL)).isEqualTo(160_000);
        assertThat(stats.exported()).isGreaterThanOrEqualTo(2048);
        assertThat(stats.queueSize()).isZero();
        assertThat(most).hasValue(1);
        assertThat(largest.get()).isLessThanOrEqualTo(512);
    }

    @Test
    void every_span_is_accounted_for_when_closed_under_load() throws Exception {
        for (int round = 0; round < 20; round++) {
            Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1"), new RecordingSender());
            CountDownLatch running = new CountDownLatch(4);
            Thread closer = new Thread(() -> {
                awaitQuietly(running);
                tracer.close(Duration.ofSeconds(10));
            });
            closer.start();
            inParallel(4, () -> {
                running.countDown();
                end(tracer, 2_000);
            });
            closer.join();
            ExportStats stats = tracer.stats();
            assertThat(stats.offered()).isEqualTo(8_000);
            assertThat(stats.exported() + stats.dropped()).isEqualTo(8_000);
        }
    }

    @Test
    void a_full_queue_drops_the_newest_spans() {
        Gate gate = new Gate();
        try (Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "5"), gate)) {
            end(tracer, 1);
            gate.awaitEntered();
            end(tracer, 8);
            assertThat(tracer.stats().queueSize()).isEqualTo(5);
            assertThat(tracer.stats().queueCapacity()).isEqualTo(5);
            assertThat(tracer.stats().dropped(DropReason.QUEUE_FULL)).isEqualTo(3);
            gate.open();
        }
        assertThat(gate.spans()).extracting(Span::name).containsExactly("0", "0", "1", "2", "3", "4");
    }

    @Test
    void flush_sends_ended_spans_and_returns_false_on_a_timeout() {
        Gate gate = new Gate();
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", HOUR), gate)) {
            end(tracer, 2);
            assertThat(tracer.flush(Duration.ofMillis(50))).isFalse();
            gate.open();
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
            assertThat(tracer.stats().exported()).isEqualTo(2);
        }
    }

    @Test
    void close_sends_queued_spans_and_refuses_later_ones() {
        Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", HOUR, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2"), sender);
        Span open = tracer.start("open");
        end(tracer, 1);
        tracer.close();
        assertThat(sender.spans()).hasSize(1);
        open.end();
        end(tracer, 3);
        assertThat(tracer.stats().dropped(DropReason.SHUTDOWN)).isEqualTo(4);
        tracer.close();
        assertThat(tracer.close(Duration.ZERO)).isEqualTo(4);
        assertThat(tracer.flush(Duration.ofMillis(1))).isTrue();
        assertThat(sender.closed).hasValue(1);
    }

    @Test
    void close_gives_up_at_the_deadline_and_reports_lost_spans() {
        Tracers.RecordedEvents events = new Tracers.RecordedEvents();
        Gate gate = new Gate();
        Map<String, String> environment = Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2");
        Tracer tracer = Tracer.open(Tracers.settings(environment), gate, events, ExportTime.SYSTEM);
        end(tracer, 2);
        gate.awaitEntered();
        end(tracer, 5);
        assertThat(tracer.close(Duration.ofMillis(100))).isEqualTo(7);
        assertThat(tracer.stats().dropped(DropReason.SHUTDOWN)).isEqualTo(7);
        assertThat(events.events)
                .containsExactly(new ExportEvent(
                        ExportEvent.Kind.EXPORT_LOST, Signal.TRACES, "Closed with unsent spans", Map.of("lost", 7L)));
        assertThat(tracer.close(Duration.ofMillis(1))).isEqualTo(7);
        assertThat(events.events).hasSize(1);
    }

    @Test
    void spans_held_by_a_sender_that_ignores_interrupts_are_counted_as_lost() {
        CountDownLatch released = new CountDownLatch(1);
        Gate stubborn = new Gate() {
            @Override
            public Outcome send(long limitNanos) throws InterruptedException {
                while (true) {
                    try {
                        return super.send(limitNanos);
                    } catch (InterruptedException e) {
                        released.countDown();
                    }
                }
            }
        };
        Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1"), stubborn);
        end(tracer, 2);
        stubborn.awaitEntered();
        end(tracer, 1);
        assertThat(tracer.close(Duration.ofMillis(50))).isEqualTo(3);
        await().until(() -> released.getCount() == 0);
        stubborn.open();
    }

    @Test
    void a_queue_overflow_is_reported() {
        Tracers.RecordedEvents events = new Tracers.RecordedEvents();
        Gate gate = new Gate();
        Map<String, String> environment = Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "1");
        try (Tracer tracer = Tracer.open(Tracers.settings(environment), gate, events, ExportTime.SYSTEM)) {
            end(tracer, 1);
            gate.awaitEntered();
            end(tracer, 3);
            gate.open();
            await().until(() -> events.kinds().contains(ExportEvent.Kind.EXPORT_DROPPED));
        }
    }

    @Test
    void the_worker_is_a_daemon_thread() {
        try (Tracer tracer = Tracers.open(sender)) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("porchlight-span-export"))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
            assertThat(tracer).isNotSameAs(Tracer.off());
        }
    }

    private static void end(Tracer tracer, int count) {
        for (int i = 0; i < count; i++) {
            tracer.start(Integer.toString(i), Attributes.none(), SpanContext.NONE)
                    .end();
        }
    }

    static void inParallel(int threads, Runnable work) throws InterruptedException {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(work);
            thread.start();
            started.add(thread);
        }
        for (Thread thread : started) {
            thread.join();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sender that blocks every batch until it is opened. */
    private static class Gate extends RecordingSender {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public Outcome send(long limitNanos) throws InterruptedException {
            entered.countDown();
            opened.await();
            return super.send(limitNanos);
        }

        void awaitEntered() {
            awaitQuietly(entered);
        }

        void open() {
            opened.countDown();
        }
    }
}
