// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class SpanAttributesTest {
    @Test
    void a_value_replaced_by_the_owner_during_a_copy_is_kept() {
        AttributeSet own = new AttributeSet(TraceSettings.Limits.DEFAULT, 6);
        own.put("count", 1L);
        own.put("name", "old");
        AttributeSet shared = own.copy();
        Attributes copied = shared.toAttributes();

        own.put("count", 2L);
        own.put("late", true);
        shared.put("name", "new");
        shared.put("more", 3L);
        AttributeSet all = own.copy();
        all.putChanges(shared, copied);

        assertThat(all.toAttributes().toMap())
                .containsExactly(
                        Map.entry("count", 2L),
                        Map.entry("name", "new"),
                        Map.entry("late", true),
                        Map.entry("more", 3L));
    }

    @Test
    void the_owners_last_value_wins_although_another_thread_sets_another_key() throws Exception {
        RecordingSender sender = new RecordingSender();
        int rounds = 2000;
        long last = 50;
        CyclicBarrier barrier = new CyclicBarrier(2);
        try (Tracer tracer = Tracers.open(sender)) {
            Span[] current = new Span[1];
            Thread other = new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    meet(barrier);
                    current[0].set("other", true);
                    meet(barrier);
                }
            });
            other.start();
            for (int round = 0; round < rounds; round++) {
                current[0] = tracer.start("shared", Attributes.of("count", 0L));
                meet(barrier);
                for (long i = 1; i <= last; i++) {
                    current[0].set("count", i);
                }
                meet(barrier);
                current[0].end();
                if (round % 100 == 0) {
                    tracer.flush(Tracers.SOON);
                }
            }
            other.join();
        }
        assertThat(sender.spans())
                .hasSize(rounds)
                .allSatisfy(
                        span -> assertThat(span.endAttributes().toAttributes().toMap())
                                .containsEntry("count", last)
                                .containsEntry("other", true));
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
