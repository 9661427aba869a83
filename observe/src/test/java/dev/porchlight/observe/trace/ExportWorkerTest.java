// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.trace.Sender.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ExportWorkerTest {
    private static final String HOUR = "3600000";
    private final RecordingSender sender = new RecordingSender();

    @Test
    void sends_a_full_batch_at_once() {
        try (Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", HOUR, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10"), sender)) {
            for (int batch = 1;
                    batch <= 3;
                    batch++) { // the worker sleeps by the time of the second, if not of the first
                long all = 10L * batch;
                end(tracer, 10);
                await().until(() -> tracer.stats().exported() == all);
                assertThat(sender.sent).hasSize(batch);
            }
        }
    }

    @Test
    void sends_a_part_of_a_batch_when_the_delay_is_over() {
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "20"), sender)) {
            end(tracer, 3);
            await().until(() -> tracer.stats().exported() == 3);
            end(tracer, 2);
            await().until(() -> tracer.stats().exported() == 5);
        }
    }

    @Test
    void sends_nothing_when_there_is_nothing() throws Exception {
        try (Tracer tracer = Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1"), sender)) {
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
            Thread.sleep(50);
        }
        assertThat(sender.loaded).isEmpty();
    }

    @Test
    void never_sends_twice_at_once_nor_more_than_a_batch_and_accounts_for_every_span() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger largest = new AtomicInteger();
        Sender counting = new RecordingSender() {
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

        TraceStats stats = tracer.stats();
        assertThat(stats.started()).isEqualTo(160_000);
        assertThat(stats.ended()).isEqualTo(160_000);
        assertThat(stats.exported() + stats.dropped(SpanDropReason.QUEUE_FULL)).isEqualTo(160_000);
        assertThat(stats.exported()).isGreaterThanOrEqualTo(2048);
        assertThat(stats.queueSize()).isZero();
        assertThat(most).hasValue(1);
        assertThat(largest.get()).isLessThanOrEqualTo(512);
    }

    @Test
    void accounts_for_every_span_when_closed_in_the_middle_of_it() throws Exception {
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
            TraceStats stats = tracer.stats();
            assertThat(stats.ended()).isEqualTo(8_000);
            assertThat(stats.exported() + stats.dropped()).isEqualTo(8_000);
        }
    }

    @Test
    void drops_the_newest_when_the_queue_is_full_and_keeps_the_oldest() {
        Gate gate = new Gate();
        try (Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "5"), gate)) {
            end(tracer, 1);
            gate.awaitEntered();
            end(tracer, 8);
            assertThat(tracer.stats().queueSize()).isEqualTo(5);
            assertThat(tracer.stats().queueCapacity()).isEqualTo(5);
            assertThat(tracer.stats().dropped(SpanDropReason.QUEUE_FULL)).isEqualTo(3);
            gate.open();
        }
        assertThat(gate.spans()).extracting(Span::name).containsExactly("0", "0", "1", "2", "3", "4");
    }

    @Test
    void flushes_what_has_ended_and_tells_when_it_could_not_in_time() {
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
    void sends_what_is_left_when_closed_and_takes_nothing_after_that() {
        Tracer tracer =
                Tracers.open(Map.of("OTEL_BSP_SCHEDULE_DELAY", HOUR, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2"), sender);
        Span open = tracer.start("open");
        end(tracer, 1);
        tracer.close();
        assertThat(sender.spans()).hasSize(1);
        open.end();
        end(tracer, 3);
        assertThat(tracer.stats().dropped(SpanDropReason.SHUTDOWN)).isEqualTo(4);
        tracer.close();
        assertThat(tracer.close(Duration.ZERO)).isEqualTo(4);
        assertThat(tracer.flush(Duration.ofMillis(1))).isTrue();
        assertThat(sender.closed).hasValue(1);
    }

    @Test
    void gives_up_at_the_deadline_whatever_the_sender_does_and_says_what_was_lost() {
        Tracers.Heard heard = new Tracers.Heard();
        Gate gate = new Gate();
        Map<String, String> environment = Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2");
        Tracer tracer = Tracer.open(Tracers.settings(environment), gate, heard, TraceTime.SYSTEM);
        end(tracer, 2);
        gate.awaitEntered();
        end(tracer, 5);
        assertThat(tracer.close(Duration.ofMillis(100))).isEqualTo(7);
        assertThat(tracer.stats().dropped(SpanDropReason.SHUTDOWN)).isEqualTo(7);
        assertThat(heard.events)
                .containsExactly(new TraceEvent(
                        TraceEvent.Kind.SPANS_LOST,
                        "The tracer was closed with spans unsent",
                        Attributes.of("lost", 7)));
        assertThat(tracer.close(Duration.ofMillis(1))).isEqualTo(7);
        assertThat(heard.events).hasSize(1);
    }

    @Test
    void counts_as_lost_what_a_sender_that_ignores_interrupts_still_holds() {
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
    void tells_of_an_overflow() {
        Tracers.Heard heard = new Tracers.Heard();
        Gate gate = new Gate();
        Map<String, String> environment = Map.of("OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "1");
        try (Tracer tracer = Tracer.open(Tracers.settings(environment), gate, heard, TraceTime.SYSTEM)) {
            end(tracer, 1);
            gate.awaitEntered();
            end(tracer, 3);
            gate.open();
            await().until(() -> heard.kinds().contains(TraceEvent.Kind.SPANS_DROPPED));
        }
    }

    @Test
    void works_in_a_daemon_thread() {
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

    /** A sender that holds every batch until it is opened. */
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
