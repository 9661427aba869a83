// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisException;

/** Rate limits on a cluster of three nodes. */
@Tag("slow")
class RedisClusterTest {
    private static final int NODES = 3;
    private static final int SLOTS = 16_384;

    private static final List<RedisServer> nodes = new ArrayList<>();
    private static Redis redis;

    @BeforeAll
    static void start() throws IOException {
        List<Integer> buses = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int bus = freePort();
            buses.add(bus);
            RedisServer node = TestRedis.start(
                    "--cluster-enabled",
                    "yes",
                    "--cluster-port",
                    Integer.toString(bus),
                    "--cluster-node-timeout",
                    "1000");
            nodes.add(node);
            node.command(
                    "CLUSTER",
                    "ADDSLOTSRANGE",
                    Integer.toString(SLOTS * i / NODES),
                    Integer.toString(SLOTS * (i + 1) / NODES - 1));
        }
        for (int i = 1; i < NODES; i++) {
            nodes.get(0)
                    .command(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(nodes.get(i).port()),
                            Integer.toString(buses.get(i)));
        }
        await().until(() -> nodes.stream().allMatch(node -> state(node).contains("cluster_state:ok")));
        String some =
                nodes.stream().limit(2).map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
        redis = Redis.open(RedisUrl.parse("redis+cluster://" + some));
    }

    @AfterAll
    static void stop() throws IOException {
        if (redis != null) {
            redis.close();
        }
        for (RedisServer node : nodes) {
            node.close();
        }
    }

    @Test
    void every_node_counts_a_share_of_the_keys() throws IOException {
        RateLimit limit = limit("many", 3);
        for (int i = 0; i < 100; i++) {
            assertThat(limit.acquire("key " + i, 3 * RateLimit.WHOLE)).isZero();
            assertThat(limit("many", 3).acquire("key " + i, RateLimit.WHOLE)).isPositive();
        }

        for (RedisServer node : nodes) {
            assertThat(Integer.parseInt(node.command("DBSIZE"))).isGreaterThan(10);
        }
        assertThat(redis.fault()).isNull();
        assertThat(redis.evictionPolicy()).isEqualTo("noeviction");
    }

    @Test
    void a_hung_node_is_detected_and_used_again() throws IOException {
        nodes.get(2).pause();
        RateLimit limit = limit("hung", 3);
        await().until(() -> {
            limit.charge("key " + System.nanoTime(), RateLimit.WHOLE);
            return redis.fault() != null;
        });

        nodes.get(2).resume();

        await().until(() -> {
            for (int i = 0; i < 30; i++) {
                limit.charge("again " + i, RateLimit.WHOLE);
            }
            return redis.fault() == null;
        });
    }

    @Test
    void no_threads_accumulate_while_all_nodes_are_down() throws IOException {
        String unreachable = "redis+cluster://127.0.0.1:" + freePort();
        JedisClients clients = new JedisClients(RedisUrl.parse(unreachable), RequestDeadline.DEFAULT);
        assertThatThrownBy(clients::connect).isInstanceOf(JedisException.class);
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(clients::connect).isInstanceOf(JedisException.class);
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !thread.isDaemon())
                .isSubsetOf(before);
    }

    private static RateLimit limit(String name, int perMinute) {
        return new RedisRateLimit(redis, name, perMinute, key -> key, System::nanoTime);
    }

    private static String state(RedisServer node) {
        try {
            return node.command("CLUSTER", "INFO");
        } catch (IOException e) {
            return "";
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
