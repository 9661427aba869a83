// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemQueueTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9})
    void the_queue_holds_exactly_its_capacity_in_order_across_wraparounds(int capacity) {
        ItemQueue<Item> queue = new ItemQueue<>(capacity);
        List<Item> out = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            List<Item> in = new ArrayList<>();
            for (int i = 0; i < capacity; i++) {
                in.add(item(i));
                assertThat(queue.offer(in.get(i))).isEqualTo((long) round * capacity + i);
            }
            assertThat(queue.offer(item(99))).isEqualTo(ItemQueue.FULL);
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
    void a_closed_queue_refuses_items_but_returns_queued_ones() {
        ItemQueue<Item> queue = new ItemQueue<>(4);
        queue.offer(item(1));
        queue.close();
        queue.close();
        assertThat(queue.offer(item(2))).isEqualTo(ItemQueue.CLOSED);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.position()).isEqualTo(1);
        List<Item> out = new ArrayList<>();
        queue.drain(out, 10);
        assertThat(out).hasSize(1);
    }

    @Test
    void the_order_of_every_producer_is_kept_and_nothing_is_lost() throws Exception {
        ItemQueue<Item> queue = new ItemQueue<>(64);
        int producers = 4;
        int each = 20_000;
        List<Item> out = new ArrayList<>();
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
                    Item item = new Item(producer, i);
                    while (queue.offer(item) < 0) {
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
        for (Item item : out) {
            int producer = item.producer();
            assertThat(item.number()).isEqualTo(last[producer] + 1);
            last[producer]++;
        }
    }

    private static Item item(int number) {
        return new Item(1, number);
    }

    private record Item(int producer, long number) {}
}
