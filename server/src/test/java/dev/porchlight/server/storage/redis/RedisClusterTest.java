// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestRedis;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.SealedEntriesContract;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisException;

/** The contract of sealed entries on a cluster of three nodes. */
@Tag("slow")
class RedisClusterTest extends SealedEntriesContract {
    private static final int NODES = 3;
    private static final int SLOTS = 16_384;

    private static final List<RedisServer> nodes = new ArrayList<>();
    private static Redis redis;

    private final RedisSealedEntries entries = new RedisSealedEntries(redis, InstantSource.fixed(Instant.EPOCH));

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
        redis = Redis.open(RedisUrl.parse("redis+cluster://" + some), Redis.Listener.NONE);
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

    @Override
    protected SealedEntries entries() {
        return entries;
    }

    @Override
    @Test
    protected void sweeping_removes_only_expired_entries() {
        assertThat(entries.sweep(Long.MAX_VALUE))
                .as("Redis removes expired entries itself")
                .isZero();
    }

    @Test
    void every_node_stores_a_share_of_the_entries() throws IOException {
        for (int i = 0; i < 100; i++) {
            put("n" + i, owner, 5_000);
        }

        assertThat(entries.ofOwner("kind", owner)).hasSize(100);
        for (RedisServer node : nodes) {
            assertThat(Integer.parseInt(node.command("DBSIZE"))).isGreaterThan(10);
        }
        assertThat(entries.removeOwner("kind", owner)).isEqualTo(100);
    }

    @Test
    void rate_limits_work_on_a_cluster() {
        var limit = new RedisRateLimit(redis, "test", 3, key -> key, System::nanoTime);

        for (int i = 0; i < 3; i++) {
            assertThat(limit.acquire(owner, RateLimit.WHOLE)).isZero();
        }
        assertThat(limit.acquire(owner, RateLimit.WHOLE)).isPositive();
        assertThat(redis.fault()).isNull();
        assertThat(RedisInfo.of(redis).newEnough()).isTrue();
    }

    @Test
    void a_hung_node_is_detected_and_used_again() throws IOException {
        nodes.get(2).pause();
        await().until(() -> {
            try {
                put("n" + System.nanoTime(), owner, 5_000);
                return false;
            } catch (StorageException lost) {
                return redis.fault() != null;
            }
        });

        nodes.get(2).resume();

        await().ignoreException(StorageException.class).until(() -> {
            for (int i = 0; i < 30; i++) {
                put("again " + i, owner, 5_000);
            }
            return redis.fault() == null;
        });
    }

    @Test
    void no_threads_accumulate_while_all_nodes_are_down() throws IOException {
        String unreachable = "redis+cluster://127.0.0.1:" + freePort();
        JedisClients clients = new JedisClients(RedisUrl.parse(unreachable));
        assertThatThrownBy(clients::connect).isInstanceOf(JedisException.class);
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(clients::connect).isInstanceOf(JedisException.class);
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !thread.isDaemon())
                .isSubsetOf(before);
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
