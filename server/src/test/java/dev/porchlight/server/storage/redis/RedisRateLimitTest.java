// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.Together;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimitContract;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisRateLimitTest extends RateLimitContract {
    private static final int WHOLE = RateLimit.WHOLE;
    private static final String KEY = "porchlight:limit:test:a";

    private static RedisServer server;
    private static Redis one;
    private static Redis other;

    @BeforeAll
    static void start() {
        server = TestRedis.start();
        one = Redis.open(RedisUrl.parse(server.url()), Patience.LIMIT);
        other = Redis.open(RedisUrl.parse(server.url()), Patience.LIMIT);
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            one.close();
            other.close();
            server.close();
        }
    }

    @BeforeEach
    void empty() throws IOException {
        server.flush();
    }

    @Override
    protected RateLimit limit() {
        return limit(one);
    }

    /** The server's clock cannot be changed, but the stored times can. */
    @Override
    protected void advance(Duration time) throws IOException {
        for (String key : server.command("KEYS", "porchlight:limit:*").lines().toList()) {
            long fullAt = Long.parseLong(server.command("GET", key));
            server.command("SET", key, Long.toString(fullAt - time.toNanos() / 1_000), "KEEPTTL");
        }
    }

    @Test
    void two_instances_share_one_budget() {
        for (int i = 0; i < 4; i++) {
            assertThat(limit(one).acquire("a", WHOLE)).isZero();
        }
        for (int i = 4; i < PER_MINUTE; i++) {
            assertThat(limit(other).acquire("a", WHOLE)).isZero();
        }

        assertThat(limit(one).acquire("a", WHOLE)).isPositive();
        assertThat(limit(other).acquire("a", WHOLE)).isPositive();
        assertThat(new RedisRateLimit(one, "another", PER_MINUTE, key -> key, System::nanoTime).acquire("a", WHOLE))
                .isZero();
    }

    @Test
    void concurrent_requests_on_two_instances_are_accepted_only_up_to_the_limit() throws Exception {
        RateLimit here = limit(one);
        RateLimit there = limit(other);

        List<Boolean> accepted = Together.times(
                64,
                () -> (Thread.currentThread().getId() % 2 == 0 ? here : there)
                        .acquire("a", WHOLE)
                        .isZero());

        assertThat(accepted.stream().filter(it -> it)).hasSize(PER_MINUTE);
    }

    @Test
    void a_key_expires_when_its_budget_is_full() throws Exception {
        limit().acquire("a", WHOLE);
        assertThat(Long.parseLong(server.command("PTTL", KEY))).isBetween(1L, 10_000L);

        exhaust("a", WHOLE);
        assertThat(Long.parseLong(server.command("PTTL", KEY))).isBetween(50_000L, 60_000L);
    }

    @Test
    void a_zero_cost_on_a_full_budget_creates_no_key() throws Exception {
        assertThat(limit().spend("a", 0, WHOLE)).isZero();

        assertThat(server.command("EXISTS", KEY)).isEqualTo("0");
    }

    @Test
    void a_server_clock_set_back_does_not_block_a_key() throws Exception {
        exhaust("a", WHOLE);
        advance(Duration.ofHours(-1));

        assertThat(limit().acquire("a", WHOLE)).isLessThanOrEqualTo(Duration.ofSeconds(70));
    }

    @Test
    void without_redis_each_instance_continues_from_its_own_count() throws Exception {
        try (RedisServer mortal = TestRedis.start();
                Redis redis = Redis.open(RedisUrl.parse(mortal.url()))) {
            RateLimit limit = limit(redis);
            for (int i = 0; i < PER_MINUTE - 2; i++) {
                assertThat(limit.acquire("a", WHOLE)).isZero();
            }

            mortal.kill();

            assertThat(limit.acquire("a", WHOLE)).isZero();
            assertThat(limit.acquire("a", WHOLE)).isZero();
            assertThat(limit.acquire("a", WHOLE)).isPositive();
            assertThat(redis.fault()).isNotNull();
        }
    }

    private static RateLimit limit(Redis redis) {
        return new RedisRateLimit(redis, "test", PER_MINUTE, key -> key, System::nanoTime);
    }
}
