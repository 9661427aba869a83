// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private long now;

    @AfterEach
    void end() {
        Patience.end();
    }

    @Test
    void is_used_up_by_waits_and_by_nothing_else() {
        Patience.begin(() -> now);
        Runnable first = Patience.waiting();
        pass(600);
        first.run();
        pass(10_000);
        Runnable second = Patience.waiting();
        pass(700);

        assertThat(Patience.leftMillis()).as("while it waits").isEqualTo(700);
        second.run();
        assertThat(Patience.leftMillis()).isEqualTo(700);
    }

    @Test
    void a_wait_within_a_wait_counts_once() {
        Patience.begin(() -> now);
        Runnable outer = Patience.waiting();
        pass(100);
        Runnable inner = Patience.waiting();
        pass(200);
        inner.run();
        pass(300);
        outer.run();
        pass(5_000);

        assertThat(Patience.leftMillis()).isEqualTo(1_400);
    }

    @Test
    void never_goes_below_nothing_and_is_new_for_each_request() {
        Patience.begin(() -> now);
        Runnable wait = Patience.waiting();
        pass(60_000);
        assertThat(Patience.leftMillis()).isZero();
        wait.run();

        Patience.begin(() -> now);
        assertThat(Patience.leftMillis()).isEqualTo(Patience.OF_A_REQUEST.toMillis());
    }

    @Test
    void has_no_end_where_there_is_no_request() {
        Patience.waiting().run();
        assertThat(Patience.leftMillis()).isEqualTo(Long.MAX_VALUE);
    }

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }
}
