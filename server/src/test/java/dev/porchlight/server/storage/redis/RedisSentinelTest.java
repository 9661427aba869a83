// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.server.RedisServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RedisSentinelTest {
    @TempDir
    Path directory;

    @Test
    void the_client_follows_a_sentinel_failover() throws Exception {
        try (RedisServer primary = TestRedis.start();
                RedisServer replica = TestRedis.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()))) {
            await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
            int port = freePort();
            Process sentinel = sentinel(port, primary.port());
            try (Redis redis = await().until(() -> Redis.open(url(port)), it -> it.fault() == null)) {
                var limit = new RedisRateLimit(redis, "test", 1, key -> key, System::nanoTime);
                limit.charge("key", 2 * RateLimit.WHOLE);
                await().until(() ->
                        replica.command("EXISTS", "porchlight:limit:test:key").equals("1")
                                && redisKnows(port, replica));

                primary.kill();

                await().until(() -> replica.command("ROLE").startsWith("master") && redis.fault() == null);
                assertThat(new RedisRateLimit(redis, "test", 1, key -> key, System::nanoTime)
                                .acquire("key", RateLimit.WHOLE))
                        .as("the replica has the count")
                        .isPositive();
            } finally {
                sentinel.destroyForcibly().waitFor();
            }
        }
    }

    private Process sentinel(int port, int primary) throws Exception {
        Path settings = Files.writeString(
                directory.resolve("sentinel.conf"), """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor main 127.0.0.1 %d 1
                    sentinel down-after-milliseconds main 1000
                    sentinel failover-timeout main 5000
                    """.formatted(port, directory.toAbsolutePath(), primary));
        return new ProcessBuilder("redis-server", settings.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sentinel.log").toFile())
                .start();
    }

    private static boolean redisKnows(int sentinel, RedisServer replica) throws Exception {
        try (var client = new redis.clients.jedis.Jedis("127.0.0.1", sentinel)) {
            return client.sentinelReplicas("main").stream()
                    .anyMatch(it -> it.get("port").equals(Integer.toString(replica.port())));
        }
    }

    private static RedisUrl url(int port) {
        return RedisUrl.parse("redis+sentinel://127.0.0.1:" + port + "/main");
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
