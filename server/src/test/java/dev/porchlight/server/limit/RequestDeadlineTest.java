// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
    private long now;

    @AfterEach
    void end() {
        RequestDeadline.end();
    }

    @Test
    void only_waits_use_up_the_deadline() {
        RequestDeadline.begin(RequestDeadline.DEFAULT, () -> now);
        Runnable first = RequestDeadline.waiting();
        pass(600);
        first.run();
        pass(10_000);
        Runnable second = RequestDeadline.waiting();
        pass(700);

        assertThat(RequestDeadline.leftMillis()).as("during the wait").isEqualTo(700);
        second.run();
        assertThat(RequestDeadline.leftMillis()).isEqualTo(700);
    }

    @Test
    void a_wait_within_a_wait_counts_once() {
        RequestDeadline.begin(RequestDeadline.DEFAULT, () -> now);
        Runnable outer = RequestDeadline.waiting();
        pass(100);
        Runnable inner = RequestDeadline.waiting();
        pass(200);
        inner.run();
        pass(300);
        outer.run();
        pass(5_000);

        assertThat(RequestDeadline.leftMillis()).isEqualTo(1_400);
    }

    @Test
    void the_remaining_time_is_never_negative_and_starts_again_with_each_request() {
        RequestDeadline.begin(RequestDeadline.DEFAULT, () -> now);
        Runnable wait = RequestDeadline.waiting();
        pass(60_000);
        assertThat(RequestDeadline.leftMillis()).isZero();
        wait.run();

        RequestDeadline.begin(RequestDeadline.DEFAULT, () -> now);
        assertThat(RequestDeadline.leftMillis()).isEqualTo(RequestDeadline.DEFAULT.toMillis());
    }

    @Test
    void the_deadline_is_unlimited_outside_a_request() {
        RequestDeadline.waiting().run();
        assertThat(RequestDeadline.leftMillis()).isEqualTo(Long.MAX_VALUE);
    }

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }
}
