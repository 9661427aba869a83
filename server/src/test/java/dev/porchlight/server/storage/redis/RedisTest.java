// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestRedis;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Redis that is killed, hung, full or read-only is noticed, asked no more, and found again. */
@Tag("slow")
class RedisTest {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Redis.Listener listener = new Redis.Listener() {
        @Override
        public void lost(String why) {
            told.add("lost");
        }

        @Override
        public void back() {
            told.add("back");
        }
    };
    private RedisServer server;
    private Redis redis;

    @BeforeEach
    void start() {
        server = TestRedis.start();
        redis = Redis.open(RedisUrl.parse(server.url()), listener);
    }

    @AfterEach
    void stop() throws Exception {
        if (redis != null) {
            redis.close();
            server.close();
        }
    }

    @Test
    void answers() {
        assertThat(ask()).isEqualTo("PONG");
        assertThat(redis.fault()).isNull();
        assertThat(told).isEmpty();
    }

    @Test
    void a_killed_server_is_found_again_when_it_is_back() throws Exception {
        ask();
        server.kill();
        assertThatThrownBy(this::ask).isInstanceOf(StorageException.class);
        assertThat(redis.fault()).isNotNull();

        server.restart();

        awaitGood();
        assertThat(told).containsExactly("lost", "back");
    }

    @Test
    void a_hung_server_costs_one_caller_his_wait_and_the_others_nothing() throws Exception {
        ask();
        server.pause();
        assertThatThrownBy(this::ask).isInstanceOf(StorageException.class);

        long start = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(this::ask).isInstanceOf(StorageException.class);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("a thousand who are told at once, against the thousand seconds they would have waited")
                .isLessThan(Duration.ofSeconds(20));
        assertThat(told).containsExactly("lost");

        server.resume();

        awaitGood();
    }

    @Test
    void that_nobody_answers_is_noticed_though_nobody_asks() throws Exception {
        server.pause();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(redis.fault()).isNotNull());
        server.resume();
        awaitGood();
    }

    @Test
    void connections_that_were_all_cut_at_once_cost_few_requests() throws Exception {
        ask();
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        awaitGood();
    }

    @Test
    void a_full_server_is_lost_though_it_answers() throws Exception {
        server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        server.command("CONFIG", "SET", "maxmemory", "1");
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(redis.fault()).contains("OOM"));

        server.command("CONFIG", "SET", "maxmemory", "0");

        awaitGood();
    }

    @Test
    void a_replica_that_takes_no_writes_is_no_good() throws Exception {
        try (RedisServer primary = TestRedis.start()) {
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(redis.fault()).isNotNull());

            server.command("REPLICAOF", "NO", "ONE");

            awaitGood();
        }
    }

    @Test
    void may_be_started_after_those_who_use_it() throws Exception {
        server.kill();
        try (Redis early = Redis.open(RedisUrl.parse(server.url()), Redis.Listener.NONE)) {
            assertThat(early.fault()).isNotNull();

            server.restart();

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(early.fault()).isNull());
        }
    }

    @Test
    void is_found_again_though_those_who_are_told_fail() throws Exception {
        Redis.Listener failing = new Redis.Listener() {
            @Override
            public void lost(String why) {
                throw new IllegalStateException(why);
            }

            @Override
            public void back() {
                throw new IllegalStateException();
            }
        };
        try (Redis watched = Redis.open(RedisUrl.parse(server.url()), failing)) {
            server.kill();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(watched.fault()).isNotNull());

            server.restart();

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(watched.fault()).isNull());
        }
    }

    @Test
    void a_request_that_has_waited_long_enough_is_not_made_to_wait_again() {
        RequestDeadline.begin();
        try {
            redis.ask("", jedis -> {
                for (int i = 0; i < 10_000 && RequestDeadline.leftMillis() > 0; i++) {
                    LockSupport.parkNanos(1_000_000);
                }
                return true;
            });
            assertThatThrownBy(this::ask).hasMessage("the request has waited long enough");
        } finally {
            RequestDeadline.end();
        }
        assertThat(ask()).isEqualTo("PONG");
    }

    @Test
    void a_script_is_sent_again_to_a_server_that_forgot_it() throws Exception {
        Redis.Script script = Redis.Script.of("return ARGV[1]");
        assertThat(redis.run(script, "key", "a")).isEqualTo("a");

        server.command("SCRIPT", "FLUSH");

        assertThat(redis.run(script, "key", "b")).isEqualTo("b");
        assertThat(told).isEmpty();
    }

    @Test
    void nobody_gets_in_without_the_password_and_nobody_is_told_it() throws Exception {
        try (RedisServer guarded = RedisServer.startWithPassword("hush hush/@:")) {
            String good = "redis://:hush%20hush%2F%40%3A@127.0.0.1:" + guarded.port();
            try (Redis known = Redis.open(RedisUrl.parse(good), Redis.Listener.NONE)) {
                assertThat(known.fault()).isNull();
            }
            try (Redis wrong = Redis.open(RedisUrl.parse(good.replace("hush", "rush")), Redis.Listener.NONE)) {
                assertThat(wrong.fault()).isNotNull().doesNotContain("rush");
            }
        }
    }

    private String ask() {
        return redis.ask("", jedis -> jedis.ping());
    }

    private void awaitGood() {
        await().atMost(Duration.ofSeconds(10))
                .ignoreException(StorageException.class)
                .until(() -> ask().equals("PONG"));
        assertThat(redis.fault()).isNull();
    }
}
