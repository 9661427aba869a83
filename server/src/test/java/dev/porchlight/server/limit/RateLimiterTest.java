// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final AtomicLong now = new AtomicLong(123_456_789);
    private final RateLimiter limiter = new RateLimiter(120, now::get);

    @Test
    void allows_half_a_minutes_budget_at_once_and_then_tells_how_long_to_wait() {
        for (int i = 0; i < 60; i++) {
            assertThat(limiter.acquire("a")).isZero();
        }
        assertThat(limiter.acquire("a")).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void lets_somebody_in_again_after_the_wait_it_told() {
        exhaust("a");
        now.addAndGet(limiter.acquire("a").toNanos());

        assertThat(limiter.acquire("a")).isZero();
        assertThat(limiter.acquire("a")).isPositive();
    }

    @Test
    void keys_have_budgets_of_their_own() {
        exhaust("a");

        assertThat(limiter.acquire("b")).isZero();
    }

    @Test
    void over_an_hour_a_key_gets_its_rate_and_no_more() {
        int allowed = 0;
        for (int i = 0; i < 36_000; i++) {
            now.addAndGet(Duration.ofMillis(100).toNanos());
            allowed += limiter.acquire("a").isZero() ? 1 : 0;
        }
        assertThat(allowed).isBetween(60 * 120, 60 * 120 + 60);
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

    private void exhaust(String key) {
        for (int i = 0; i < 60; i++) {
            limiter.acquire(key);
        }
    }
}
