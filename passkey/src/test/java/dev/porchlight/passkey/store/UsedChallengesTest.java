// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static dev.porchlight.passkey.store.UsedChallenges.KEPT_AFTER_EXPIRY_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.TestClock;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.testkit.contract.UsedChallengesContract;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/** The testkit's contract on every shipped store, and their retention. */
@Tag("slow")
class UsedChallengesTest {

    @Nested
    @ParameterizedClass
    @EnumSource
    @TestInstance(Lifecycle.PER_CLASS)
    class OnDatabase implements UsedChallengesContract {
        @Parameter
        TestDatabase database;

        private final TestClock clock = new TestClock();
        private HikariDataSource pool;
        private Sql sql;

        @BeforeParameterizedClassInvocation
        void migrate() {
            pool = database.fresh();
            sql = new Sql(pool);
            Migration.run(pool);
        }

        @BeforeEach
        void empty() {
            sql.update("DELETE FROM passkey_used_challenge");
        }

        @AfterParameterizedClassInvocation
        void close() {
            if (pool != null) {
                pool.close();
            }
        }

        @Override
        public Subject usedChallenges() {
            return new SqlUsedChallenges(sql, Clock.systemUTC())::use;
        }

        @Test
        void a_challenge_is_swept_ten_minutes_after_it_expired() {
            var used = new SqlUsedChallenges(sql, clock);
            long expiresAt = clock.millis() + 60_000;
            assertThat(used.use("a", expiresAt)).isTrue();

            clock.advance(Duration.ofMillis(60_000 + KEPT_AFTER_EXPIRY_MILLIS));
            assertThat(used.sweep()).isZero();
            assertThat(used.use("a", expiresAt)).isFalse();

            clock.advance(Duration.ofMillis(1));
            assertThat(used.sweep()).isEqualTo(1);
            assertThat(rows()).isZero();
        }

        @Test
        void each_use_sweeps_a_bounded_number_of_rows() {
            var used = new SqlUsedChallenges(sql, clock);
            sql.transaction("fill", connection -> {
                for (int i = 0; i < 2_500; i++) {
                    Sql.update(connection, "INSERT INTO passkey_used_challenge VALUES (?, ?)", (long) i, "old" + i);
                }
                return 0;
            });

            used.use("a", clock.millis() + 60_000);
            assertThat(rows()).isEqualTo(1_501);
            used.use("b", clock.millis() + 60_000);
            assertThat(rows()).isEqualTo(502);
            used.use("c", clock.millis() + 60_000);
            assertThat(rows()).isEqualTo(3);
        }

        @Test
        void a_sweep_is_due_every_ten_seconds_even_if_the_clock_is_set_back() {
            var used = new SqlUsedChallenges(sql, clock);
            used.use("a", clock.millis());
            sql.update("INSERT INTO passkey_used_challenge VALUES (1, 'old')");

            clock.advance(Duration.ofMillis(9_999));
            used.use("b", clock.millis());
            assertThat(rows()).isEqualTo(3);

            clock.advance(Duration.ofHours(-1));
            used.use("c", clock.millis());
            assertThat(rows()).isEqualTo(3);
        }

        @Test
        void a_rolled_back_use_is_not_recorded() {
            var used = new SqlUsedChallenges(sql, clock);
            assertThatThrownBy(() -> sql.transaction("roll back", connection -> {
                        assertThat(SqlUsedChallenges.use(connection, "a", 1)).isTrue();
                        throw new IllegalStateException("after all");
                    }))
                    .isInstanceOf(StorageException.class);

            assertThat(used.use("a", 1)).isTrue();
        }

        @Test
        void a_missing_database_is_a_storage_exception() { // T11
            HikariDataSource gone = database.fresh();
            var lost = new SqlUsedChallenges(new Sql(gone), clock);
            gone.close();

            assertThatThrownBy(() -> lost.use("a", 1)).isInstanceOf(StorageException.class);
        }

        private long rows() {
            return sql.query("SELECT COUNT(*) FROM passkey_used_challenge", row -> row.getLong(1))
                    .get(0);
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnRedis implements UsedChallengesContract {
        private final TestClock clock = new TestClock();
        private TestRedis redis;

        @BeforeAll
        void start() throws IOException {
            redis = TestRedis.start();
        }

        @AfterAll
        void stop() throws IOException {
            if (redis != null) {
                redis.close();
            }
        }

        @Override
        public Subject usedChallenges() {
            return new RedisUsedChallenges(redis.jedis()::eval, Clock.systemUTC())::use;
        }

        @Test
        void redis_removes_a_challenge_ten_minutes_after_it_expired() throws IOException {
            var used = new RedisUsedChallenges(redis.jedis()::eval, clock);

            used.use("in a minute", clock.millis() + 60_000);
            assertThat(lifetime("in a minute")).isBetween(630_000L, 660_000L);
            used.use("expired", clock.millis() - 3_600_000);
            assertThat(lifetime("expired")).isBetween(570_000L, 600_000L);
        }

        @Test
        void a_missing_redis_is_a_storage_exception() { // T11
            try (var gone = RedisClient.builder().hostAndPort("127.0.0.1", 1).build()) {
                var lost = new RedisUsedChallenges(gone::eval, clock);

                assertThatThrownBy(() -> lost.use("a", 1)).isInstanceOf(StorageException.class);
            }
        }

        @Test
        void an_expiry_that_redis_refuses_is_a_storage_exception() {
            var used = new RedisUsedChallenges(redis.jedis()::eval, clock);

            assertThatThrownBy(() -> used.use("a", Long.MAX_VALUE)).isInstanceOf(StorageException.class);
        }

        private long lifetime(String id) throws IOException {
            return Long.parseLong(redis.server().command("PTTL", "passkey:used:" + id));
        }
    }
}
