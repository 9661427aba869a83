// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.Together;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisRateLimitTest {
    private static final int LIMIT = 20;

    private static RedisServer server;
    private static Redis one;
    private static Redis other;

    @BeforeAll
    static void start() {
        server = TestRedis.start();
        one = Redis.open(RedisUrl.parse(server.url()), Redis.Listener.NONE);
        other = Redis.open(RedisUrl.parse(server.url()), Redis.Listener.NONE);
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

    @Test
    void two_instances_share_one_budget_and_tell_how_long_to_wait() {
        assertThat(exhaust(limit(one), "a", 12)).isEqualTo(12);
        assertThat(exhaust(limit(other), "a", 100)).isEqualTo(8);

        assertThat(limit(one).acquire("a")).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(70));
        assertThat(limit(one).acquire("b")).isZero();
        assertThat(new RedisRateLimit(one, "another", LIMIT, key -> key).acquire("a"))
                .isZero();
    }

    @Test
    void however_many_ask_at_once_on_both_no_more_than_the_limit_get_through() throws Exception {
        RateLimit here = limit(one);
        RateLimit there = limit(other);

        List<Boolean> through = Together.times(
                64,
                () -> (Thread.currentThread().getId() % 2 == 0 ? here : there)
                        .acquire("a")
                        .isZero());

        assertThat(through.stream().filter(it -> it)).hasSize(LIMIT);
    }

    @Test
    void what_was_spent_comes_back_after_sixty_to_seventy_seconds() throws Exception {
        long slot = slot();
        server.command("HSET", "porchlight:limit:test:a", Long.toString(slot - 7), "15", Long.toString(slot - 5), "4");

        assertThat(exhaust(limit(one), "a", 100))
                .as("four were spent, fifteen are forgotten")
                .isEqualTo(16);
        assertThat(limit(one).acquire("a")).isBetween(Duration.ZERO, Duration.ofSeconds(20));
        assertThat(server.command("HEXISTS", "porchlight:limit:test:a", Long.toString(slot - 7)))
                .isEqualTo("0");
    }

    @Test
    void a_key_is_forgotten_when_its_last_slot_is_over() throws Exception {
        limit(one).acquire("a");

        assertThat(Long.parseLong(server.command("PTTL", "porchlight:limit:test:a")))
                .isBetween(60_000L, 70_000L);
    }

    @Test
    void a_refused_request_costs_nothing() throws Exception {
        exhaust(limit(one), "a", 100);
        String before = server.command("HVALS", "porchlight:limit:test:a");

        limit(one).acquire("a");

        assertThat(server.command("HVALS", "porchlight:limit:test:a")).isEqualTo(before);
    }

    @Test
    void while_redis_is_gone_each_instance_counts_alone_and_from_what_it_let_through() throws Exception {
        try (RedisServer mortal = TestRedis.start();
                Redis redis = Redis.open(RedisUrl.parse(mortal.url()), Redis.Listener.NONE)) {
            RateLimit limit = limit(redis);
            assertThat(exhaust(limit, "a", 15)).isEqualTo(15);

            mortal.kill();

            assertThat(exhaust(limit, "a", 100)).isEqualTo(5);
            assertThat(limit.acquire("a")).isPositive();
            assertThat(redis.fault()).isNotNull();
        }
    }

    private static RateLimit limit(Redis redis) {
        return new RedisRateLimit(redis, "test", LIMIT, key -> key);
    }

    private static int exhaust(RateLimit limit, String key, int attempts) {
        int allowed = 0;
        for (int i = 0; i < attempts && limit.acquire(key).isZero(); i++) {
            allowed++;
        }
        return allowed;
    }

    /** The slot under way, if it goes on for a while. */
    private static long slot() throws Exception {
        long seconds = Long.parseLong(server.command("TIME").lines().findFirst().orElseThrow());
        if (seconds % 10 > 7) {
            Thread.sleep(3_000);
            return slot();
        }
        return seconds / 10;
    }
}
