// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterTest extends RateLimitContract {
    private static final int WHOLE = RateLimit.WHOLE;

    private final AtomicLong now = new AtomicLong(123_456_789);
    private final RateLimiter few = new RateLimiter(PER_MINUTE, now::get);
    private final RateLimiter limiter = new RateLimiter(120, now::get);

    @Override
    protected RateLimit limit() {
        return few;
    }

    @Override
    protected void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void the_wait_is_exact_to_the_nanosecond() {
        assertThat(exhaust()).isEqualTo(120);
        advance(Duration.ofMillis(120));

        assertThat(limiter.acquire("a", WHOLE)).isEqualTo(Duration.ofMillis(380));
        assertThat(limiter.acquire("a", 1)).isEqualTo(Duration.ofMillis(5));

        advance(Duration.ofMillis(380).minusNanos(1));
        assertThat(limiter.acquire("a", WHOLE)).isEqualTo(Duration.ofNanos(1));
        advance(Duration.ofNanos(1));
        assertThat(limiter.acquire("a", WHOLE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 30, 120, 1_000})
    void after_the_first_burst_a_minute_accepts_exactly_the_number(int perMinute) {
        RateLimiter limit = new RateLimiter(perMinute, now::get);
        while (limit.acquire("a", WHOLE).isZero()) {
            // spends the burst
        }
        for (int minute = 0; minute < 10; minute++) {
            int accepted = 0;
            for (int i = 0; i < 60_000; i++) {
                advance(Duration.ofMillis(1));
                accepted += limit.acquire("a", WHOLE).isZero() ? 1 : 0;
            }
            assertThat(accepted).isEqualTo(perMinute);
        }
    }

    @Test
    void no_interval_accepts_more_than_the_burst_and_the_refill() {
        Random random = new Random(7);
        long from = now.get();
        long spent = 0;
        for (int i = 0; i < 100_000; i++) {
            advance(Duration.ofMillis(random.nextInt(50) == 0 ? random.nextInt(4_000) : random.nextInt(100)));
            int cost = 1 + random.nextInt(WHOLE);
            spent += limiter.acquire("a", cost).isZero() ? cost : 0;
            assertThat(spent).isLessThanOrEqualTo(480 + (now.get() - from) / 125_000_000);
        }
    }

    @Test
    void a_flood_of_keys_does_not_reset_an_exhausted_key() {
        exhaust();
        for (int i = 0; i < 50_000; i++) {
            limiter.acquire("stranger " + i, WHOLE);
        }
        assertThat(limiter.acquire("a", WHOLE)).isPositive();
    }

    @Test
    void a_limit_of_zero_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RateLimiter(0, now::get));
    }

    private int exhaust() {
        int accepted = 0;
        while (limiter.acquire("a", WHOLE).isZero()) {
            accepted++;
        }
        return accepted;
    }
}
