// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestRedis;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis that is killed, hung, full, read-only or restricted is detected, not used, and used again when available. */
@Tag("slow")
class RedisTest {
    private static final Redis.Script PING = Redis.Script.of("return 'PONG'");

    private RedisServer server;
    private Redis redis;

    @BeforeEach
    void start() {
        server = TestRedis.start();
        redis = Redis.open(RedisUrl.parse(server.url()));
    }

    @AfterEach
    void stop() throws Exception {
        if (redis != null) {
            redis.close();
            server.close();
        }
    }

    @Test
    void commands_succeed() {
        assertThat(ping()).isEqualTo("PONG");
        assertThat(redis.fault()).isNull();
    }

    @Test
    void a_restarted_server_is_used_again() throws Exception {
        ping();
        server.kill();
        assertThatThrownBy(this::ping).isInstanceOf(StorageException.class);
        assertThat(redis.fault()).isNotNull();

        server.restart();

        awaitAvailable();
    }

    @Test
    void a_hung_server_delays_one_caller_only() throws Exception {
        ping();
        server.pause();
        assertThatThrownBy(this::ping)
                .as("waited for the server")
                .isInstanceOf(StorageException.class)
                .hasCauseInstanceOf(JedisException.class);

        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(this::ping)
                    .as("did not ask the server")
                    .isInstanceOf(StorageException.class)
                    .hasNoCause();
        }

        server.resume();

        awaitAvailable();
    }

    @Test
    void an_outage_is_detected_without_requests() throws Exception {
        server.pause();
        await().untilAsserted(() -> assertThat(redis.fault()).isNotNull());
        server.resume();
        awaitAvailable();
    }

    @Test
    void dropped_connections_fail_only_a_few_requests() throws Exception {
        ping();
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        awaitAvailable();
    }

    @Test
    void a_full_server_is_unavailable() throws Exception {
        server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        server.command("CONFIG", "SET", "maxmemory", "1");
        await().untilAsserted(() -> assertThat(redis.fault()).contains("OOM"));

        server.command("CONFIG", "SET", "maxmemory", "0");

        awaitAvailable();
    }

    @Test
    void a_read_only_replica_is_unavailable() throws Exception {
        try (RedisServer primary = TestRedis.start()) {
            server.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            await().untilAsserted(() -> assertThat(redis.fault()).isNotNull());

            server.command("REPLICAOF", "NO", "ONE");

            awaitAvailable();
        }
    }

    @Test
    void the_server_may_start_after_the_client() throws Exception {
        server.kill();
        try (Redis early = Redis.open(RedisUrl.parse(server.url()))) {
            assertThat(early.fault()).isNotNull();

            server.restart();

            await().untilAsserted(() -> assertThat(early.fault()).isNull());
        }
    }

    @Test
    void a_server_that_refuses_scripts_is_unavailable() throws Exception {
        server.command("ACL", "SETUSER", "default", "-evalsha");
        await().untilAsserted(() -> assertThat(redis.fault()).contains("NOPERM"));

        server.command("ACL", "SETUSER", "default", "+evalsha");

        awaitAvailable();
    }

    @Test
    void an_unexpected_result_is_a_failure() {
        assertThatThrownBy(() -> redis.run(Long.class, PING, "key")).isInstanceOf(StorageException.class);

        awaitAvailable();
    }

    @Test
    void a_request_past_its_deadline_does_not_wait() {
        RequestDeadline.begin(RequestDeadline.DEFAULT);
        try {
            Runnable waited = RequestDeadline.waiting();
            await().pollInSameThread().until(() -> RequestDeadline.leftMillis() == 0);
            waited.run();
            assertThatThrownBy(this::ping).hasMessage("the request deadline is exceeded");
        } finally {
            RequestDeadline.end();
        }
        assertThat(ping()).isEqualTo("PONG");
    }

    @Test
    void a_script_is_sent_again_to_a_server_without_it() throws Exception {
        Redis.Script script = Redis.Script.of("return ARGV[1]");
        assertThat(redis.run(String.class, script, "key", "a")).isEqualTo("a");

        server.command("SCRIPT", "FLUSH");

        assertThat(redis.run(String.class, script, "key", "b")).isEqualTo("b");
        assertThat(redis.fault()).isNull();
    }

    @Test
    void a_wrong_password_is_refused_and_not_reported() throws Exception {
        try (RedisServer guarded = RedisServer.startWithPassword("hush hush/@:")) {
            String good = "redis://:hush%20hush%2F%40%3A@127.0.0.1:" + guarded.port();
            try (Redis known = Redis.open(RedisUrl.parse(good))) {
                assertThat(known.fault()).isNull();
            }
            try (Redis wrong = Redis.open(RedisUrl.parse(good.replace("hush", "rush")))) {
                assertThat(wrong.fault()).isNotNull().doesNotContain("rush");
            }
        }
    }

    private String ping() {
        return redis.run(String.class, PING, "key");
    }

    private void awaitAvailable() {
        await().ignoreException(StorageException.class).until(() -> ping().equals("PONG"));
        assertThat(redis.fault()).isNull();
    }
}
