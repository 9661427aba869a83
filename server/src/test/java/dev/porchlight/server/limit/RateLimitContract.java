// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.Together;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every rate limit. A unit refills in ten seconds, so a slow machine does not change results. */
public abstract class RateLimitContract {
    protected static final int PER_MINUTE = 6;
    private static final int WHOLE = RateLimit.WHOLE;
    private static final Duration REFILL = Duration.ofSeconds(10);
    /** The time that may pass on a real clock during a test. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    /** The limit under test, with {@link #PER_MINUTE} units. */
    protected abstract RateLimit limit();

    /** Advances the limit's clock. */
    protected abstract void advance(Duration time) throws Exception;

    @Test
    void the_whole_budget_may_be_spent_at_once() {
        assertThat(exhaust("a", WHOLE)).isEqualTo(PER_MINUTE);
        assertAbout(limit().acquire("a", WHOLE), REFILL);
    }

    @Test
    void quarters_are_counted() {
        assertThat(exhaust("a", 1)).isEqualTo(4 * PER_MINUTE);
        assertAbout(limit().acquire("a", 1), REFILL.dividedBy(4));
        assertAbout(limit().acquire("a", WHOLE), REFILL);
    }

    @Test
    void a_budget_refills_steadily() throws Exception {
        exhaust("a", WHOLE);
        advance(REFILL);
        assertThat(exhaust("a", WHOLE)).isEqualTo(1);
        advance(REFILL.multipliedBy(3));
        assertThat(exhaust("a", WHOLE)).isEqualTo(3);
    }

    @Test
    void a_budget_is_full_after_a_minute_and_never_more_than_full() throws Exception {
        exhaust("a", WHOLE);
        advance(Duration.ofMinutes(1));
        assertThat(exhaust("a", WHOLE)).isEqualTo(PER_MINUTE);
        advance(Duration.ofDays(30));
        assertThat(exhaust("a", WHOLE)).isEqualTo(PER_MINUTE);
    }

    @Test
    void a_request_is_accepted_after_the_wait_it_was_given() throws Exception {
        exhaust("a", WHOLE);
        advance(limit().acquire("a", WHOLE));

        assertThat(limit().acquire("a", WHOLE)).isZero();
    }

    @Test
    void a_refused_request_costs_nothing() throws Exception {
        exhaust("a", WHOLE);
        for (int i = 0; i < 50; i++) {
            assertThat(limit().acquire("a", WHOLE)).isPositive();
        }
        advance(REFILL);

        assertThat(limit().acquire("a", WHOLE)).isZero();
    }

    @Test
    void keys_have_separate_budgets() {
        exhaust("a", WHOLE);

        assertThat(exhaust("b", WHOLE)).isEqualTo(PER_MINUTE);
    }

    @Test
    void a_cost_beyond_what_is_left_leaves_a_debt_that_is_paid_first() throws Exception {
        for (int i = 0; i < 4 * PER_MINUTE - 1; i++) {
            assertThat(limit().acquire("a", 1)).isZero();
        }
        assertThat(limit().spend("a", 3, 1)).isZero();

        assertAbout(limit().acquire("a", 1), REFILL.multipliedBy(3).dividedBy(4));
        advance(REFILL.dividedBy(2));
        assertAbout(limit().acquire("a", 1), REFILL.dividedBy(4));
    }

    @Test
    void a_charge_is_never_refused_and_no_debt_takes_more_than_a_minute() {
        for (int i = 0; i < 10; i++) {
            limit().charge("a", PER_MINUTE * WHOLE);
        }

        assertAbout(limit().acquire("a", 1), Duration.ofMinutes(1).plus(REFILL.dividedBy(4)));
    }

    @Test
    void a_zero_cost_spends_nothing() {
        for (int i = 0; i < 50; i++) {
            assertThat(limit().spend("a", 0, WHOLE)).isZero();
        }
        assertThat(exhaust("a", WHOLE)).isEqualTo(PER_MINUTE);
        assertThat(limit().spend("a", 0, WHOLE)).isPositive();
    }

    @Test
    void concurrent_requests_are_accepted_only_up_to_the_limit() throws Exception {
        RateLimit limit = limit();
        List<Boolean> accepted =
                Together.times(64, () -> limit.acquire("a", WHOLE).isZero());

        assertThat(accepted.stream().filter(it -> it)).hasSize(PER_MINUTE);
    }

    /** Spends until refused and returns the number of accepted requests. */
    protected final int exhaust(String key, int cost) {
        RateLimit limit = limit();
        int accepted = 0;
        while (limit.acquire(key, cost).isZero()) {
            accepted++;
        }
        return accepted;
    }

    private static void assertAbout(Duration wait, Duration expected) {
        assertThat(wait).isBetween(expected.minus(SLACK), expected);
    }
}
