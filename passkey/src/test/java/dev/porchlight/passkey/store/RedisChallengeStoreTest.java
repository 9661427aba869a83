// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

@Tag("slow")
class RedisChallengeStoreTest extends ShippedStoreContract {
    private static TestRedis redis;

    private final RedisChallengeStore store = new RedisChallengeStore(redis.jedis()::eval, clock);

    @BeforeAll
    static void start() throws IOException {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void empty() throws IOException {
        redis.server().flush();
    }

    @Override
    public int rounds() {
        return 250;
    }

    @Override
    ChallengeStore store() {
        return store;
    }

    @Override
    long stored() {
        return ask("KEYS", "*")
                .lines()
                .filter(key -> !key.isEmpty())
                .mapToLong(key -> Long.parseLong(ask("ZCARD", key)))
                .sum();
    }

    @Override
    @Test
    void storing_a_challenge_sweeps_expired_ones() {
        store.setChallenge("alice", "a", in(60));
        assertThat(lifetime("alice"))
                .as("Redis removes them all a minute later")
                .isBetween(60_000L, 120_000L);
        store.setChallenge("alice", "b", in(600));
        assertThat(lifetime("alice")).isBetween(600_000L, 660_000L);
        store.setChallenge("alice", "c", in(30));
        assertThat(lifetime("alice")).as("not before the last").isBetween(600_000L, 660_000L);

        clock.advance(Duration.ofSeconds(121));
        store.setChallenge("alice", "d", in(60));

        assertThat(stored())
                .as("b and d; the others expired more than a minute ago")
                .isEqualTo(2);
        assertThat(store.takeChallenge("alice", "b")).isNotNull();
    }

    @Test
    void a_missing_redis_is_a_storage_exception() throws IOException { // T11
        try (var gone = RedisClient.builder().hostAndPort("127.0.0.1", 1).build()) {
            var lost = new RedisChallengeStore(gone::eval);

            assertThatThrownBy(() -> lost.takeChallenge("alice", "a")).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> lost.setChallenge("alice", "a", 1)).isInstanceOf(StorageException.class);
        }
    }

    private static long lifetime(String userId) {
        return Long.parseLong(ask("PTTL", "passkey:challenge:" + userId));
    }

    private static String ask(String... command) {
        try {
            return redis.server().command(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
