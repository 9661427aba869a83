// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanQueueTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9})
    void the_queue_holds_exactly_its_capacity_in_order_across_wraparounds(int capacity) {
        SpanQueue queue = new SpanQueue(capacity);
        List<Span> out = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            List<Span> in = new ArrayList<>();
            for (int i = 0; i < capacity; i++) {
                in.add(span(i));
                assertThat(queue.offer(in.get(i))).isEqualTo((long) round * capacity + i);
            }
            assertThat(queue.offer(span(99))).isEqualTo(SpanQueue.FULL);
            assertThat(queue.size()).isEqualTo(capacity);
            queue.drain(out, 1);
            queue.drain(out, capacity);
            assertThat(out).containsExactlyElementsOf(in);
            assertThat(queue.size()).isZero();
            out.clear();
        }
        assertThat(queue.position()).isEqualTo(10L * capacity);
    }

    @Test
    void a_closed_queue_refuses_spans_but_returns_queued_ones() {
        SpanQueue queue = new SpanQueue(4);
        queue.offer(span(1));
        queue.close();
        queue.close();
        assertThat(queue.offer(span(2))).isEqualTo(SpanQueue.CLOSED);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.position()).isEqualTo(1);
        List<Span> out = new ArrayList<>();
        queue.drain(out, 10);
        assertThat(out).hasSize(1);
    }

    @Test
    void the_order_of_every_producer_is_kept_and_nothing_is_lost() throws Exception {
        SpanQueue queue = new SpanQueue(64);
        int producers = 4;
        int each = 20_000;
        List<Span> out = new ArrayList<>();
        Thread consumer = new Thread(() -> {
            while (out.size() < producers * each) {
                queue.drain(out, Integer.MAX_VALUE);
            }
        });
        consumer.start();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int producer = p + 1;
            Thread thread = new Thread(() -> {
                for (int i = 1; i <= each; i++) {
                    Span span = new Span(new SpanContext(0, producer, i, 0, "", false));
                    while (queue.offer(span) < 0) {
                        Thread.onSpinWait();
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        consumer.join();
        long[] last = new long[producers + 1];
        for (Span span : out) {
            int producer = (int) span.context().traceIdLow();
            assertThat(span.context().spanId()).isEqualTo(last[producer] + 1);
            last[producer]++;
        }
    }

    private static Span span(int number) {
        return new Span(new SpanContext(1, 1, number, 0, "", false));
    }
}
