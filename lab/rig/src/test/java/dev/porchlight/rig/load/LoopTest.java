// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.load.Outcome.Sample;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static final long MILLI = 1_000_000;

    @Test
    void an_open_loop_counts_the_wait_for_a_free_worker() throws IOException, InterruptedException {
        IntFunction<Task> slow = task(() -> {
            pause(100);
            return 200;
        });
        Outcome outcome = outcome(Loop.open(50, 1, slow), 10);

        // one worker, 100 ms each, 20 ms apart: the tenth starts 700 ms late
        assertThat(outcome.slowestMillis()).isGreaterThan(400);
        assertThat(outcome.millis(0)).isGreaterThanOrEqualTo(100);
    }

    @Test
    void a_closed_loop_starts_a_task_when_the_previous_one_ends() throws IOException, InterruptedException {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Loop loop = Loop.closed(3, task(() -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            pause(5);
            atOnce.decrementAndGet();
            return 200;
        }));
        Outcome outcome = outcome(loop, 20);

        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(outcome.ok()).isEqualTo(outcome.count()).isPositive();
    }

    @Test
    void statuses_and_failures_are_counted_separately() throws IOException, InterruptedException {
        AtomicInteger turn = new AtomicInteger();
        Loop loop = Loop.closed(1, task(() -> {
            if (turn.incrementAndGet() == 2) {
                throw new IOException("gone");
            }
            return turn.get() == 1 ? 503 : 200;
        }));
        Outcome outcome = outcome(loop, 1);

        assertThat(outcome.count(503)).isEqualTo(1);
        assertThat(outcome.count(0)).isEqualTo(1);
        assertThat(outcome.failures()).containsExactly(Map.entry("IOException: gone", 1));
        assertThat(outcome.statuses()).startsWith("no response × 1, 200 × ").endsWith(", 503 × 1");
    }

    @Test
    void callers_can_wait_for_successes_and_refusals() throws IOException, InterruptedException {
        AtomicInteger status = new AtomicInteger(200);
        try (Loop loop = Loop.closed(2, task(() -> {
            pause(1);
            return status.get();
        }))) {
            assertThat(loop.successes(20).await(Patience.LIMIT)).isTrue();
            status.set(503);
            assertThat(loop.refusals(20).await(Patience.LIMIT)).isTrue();
            assertThat(loop.successes(20).await(Duration.ofMillis(50))).isFalse();
            assertThat(loop.successes(0).and(loop.refusals(1)).await(Patience.LIMIT))
                    .isTrue();
        }
    }

    @Test
    void the_outcome_has_the_longest_gap_and_the_first_success_after_a_time() {
        Outcome outcome = new Outcome(
                List.of(
                        new Sample(0, 0, 10 * MILLI, 200),
                        new Sample(20 * MILLI, 0, 10 * MILLI, 503),
                        new Sample(50 * MILLI, 0, 20 * MILLI, 200),
                        new Sample(80 * MILLI, 0, 10 * MILLI, 200)),
                Duration.ofMillis(100),
                Map.of());

        assertThat(outcome.longestGapMillis()).isEqualTo(60);
        assertThat(outcome.millisToSuccessAfter(51 * MILLI)).isEqualTo(39);
        assertThat(outcome.millis(0.5)).isEqualTo(10);
        assertThat(outcome.slowestMillis()).isEqualTo(20);
        assertThat(outcome.between(20 * MILLI, 60 * MILLI).count()).isEqualTo(2);
    }

    /** Stops a loop after some successes. */
    private static Outcome outcome(Loop loop, int successes) throws IOException, InterruptedException {
        assertThat(loop.successes(successes).await(Patience.LIMIT)).isTrue();
        return loop.stop();
    }

    private interface Operation {
        int run() throws IOException;
    }

    private static IntFunction<Task> task(Operation act) {
        return worker -> new Task() {
            @Override
            public int run() throws IOException {
                return act.run();
            }

            @Override
            public void close() {}
        };
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
