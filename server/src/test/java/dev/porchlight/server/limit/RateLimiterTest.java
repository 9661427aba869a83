// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final AtomicLong now = new AtomicLong(123_456_789);
    private final RateLimiter limiter = new RateLimiter(120, now::get);

    @Test
    void the_whole_budget_may_be_spent_at_once_and_then_it_tells_how_long_to_wait() {
        for (int i = 0; i < 120; i++) {
            assertThat(limiter.acquire("a")).isZero();
        }
        assertThat(limiter.acquire("a")).isEqualTo(Duration.ofSeconds(70));
    }

    @Test
    void what_was_spent_comes_back_after_sixty_to_seventy_seconds() {
        now.addAndGet(Duration.ofMillis(9_999).toNanos());
        exhaust("a");
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(limiter.acquire("a")).isEqualTo(Duration.ofMillis(1));
        now.addAndGet(Duration.ofMillis(1).toNanos());

        assertThat(exhaust("a")).isEqualTo(120);
    }

    @Test
    void whoever_comes_back_after_a_long_time_has_his_whole_budget() {
        exhaust("a");
        now.addAndGet(Duration.ofDays(30).toNanos());

        assertThat(exhaust("a")).isEqualTo(120);
    }

    @Test
    void in_no_sixty_seconds_does_a_key_get_more_than_its_budget_however_it_asks() {
        Random random = new Random(7);
        Deque<Long> allowed = new ArrayDeque<>();
        for (int i = 0; i < 100_000; i++) {
            long pause = random.nextInt(50) == 0 ? random.nextInt(40_000) : random.nextInt(100);
            long at = now.addAndGet(Duration.ofMillis(pause).toNanos());
            if (limiter.acquire("a").isZero()) {
                allowed.addLast(at);
            }
            while (!allowed.isEmpty()
                    && at - allowed.peekFirst() >= Duration.ofMinutes(1).toNanos()) {
                allowed.removeFirst();
            }
            assertThat(allowed).hasSizeLessThanOrEqualTo(120);
        }
    }

    @Test
    void lets_somebody_in_again_after_the_wait_it_told() {
        exhaust("a");
        Duration wait = limiter.acquire("a");
        now.addAndGet(wait.toNanos() - 1);
        assertThat(limiter.acquire("a")).isPositive();
        now.addAndGet(1);

        assertThat(limiter.acquire("a")).isZero();
    }

    @Test
    void keys_have_budgets_of_their_own() {
        exhaust("a");

        assertThat(limiter.acquire("b")).isZero();
    }

    @Test
    void over_an_hour_a_key_gets_about_its_rate_and_no_more() {
        int allowed = 0;
        for (int i = 0; i < 36_000; i++) {
            now.addAndGet(Duration.ofMillis(100).toNanos());
            allowed += limiter.acquire("a").isZero() ? 1 : 0;
        }
        assertThat(allowed).isBetween(50 * 120, 60 * 120);
    }

    @Test
    void a_flood_of_keys_does_not_forgive_one_that_spent_its_budget_beyond_the_few_that_share_its_set() {
        exhaust("a");
        for (int i = 0; i < 50_000; i++) {
            limiter.acquire("stranger " + i);
        }
        assertThat(limiter.acquire("a")).isPositive();
    }

    @Test
    void a_refused_request_costs_nothing() {
        exhaust("a");
        Duration wait = limiter.acquire("a");

        assertThat(limiter.acquire("a")).isEqualTo(wait);
    }

    /** Asks until refused and returns how often it was not. */
    private int exhaust(String key) {
        int allowed = 0;
        while (limiter.acquire(key).isZero()) {
            allowed++;
        }
        return allowed;
    }
}
