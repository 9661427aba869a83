// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.server.storage.RedisUrl;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.builders.ClusterClientBuilder;

/**
 * Creates Jedis clients with a timeout on every wait: for a connection from the pool, for the network, for a response. They are
 * a small part of what a request may wait, because it continues without Redis: by default 0.1 s, 0.3 s and 0.3 s. The pool lets
 * the caller whose connection broke replace it, so a hung server costs that request 0.6 s; most of its deadline is left to the
 * database.
 */
final class JedisClients {
    private static final int CONNECTIONS = 16;

    /** A redirection to another node uses an attempt; after a response timeout none is left. */
    private static final int ATTEMPTS = 3;

    private static final Duration RETRY_LIMIT = Duration.ofMillis(200);
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(3);

    private final RedisUrl url;
    private final Duration poolTimeout;
    private final int networkMillis;

    /** Clients for requests that may wait this long in total. */
    JedisClients(RedisUrl url, Duration requestTimeout) {
        this.url = url;
        this.poolTimeout = requestTimeout.dividedBy(20);
        this.networkMillis = (int) poolTimeout.multipliedBy(3).toMillis();
    }

    UnifiedJedis connect() {
        JedisClientConfig config = settings()
                .user(url.user())
                .password(url.password())
                .database(url.database())
                .build();
        Set<HostAndPort> nodes = url.nodes().stream()
                .map(node -> new HostAndPort(node.host(), node.port()))
                .collect(Collectors.toUnmodifiableSet());
        return switch (url.kind()) {
            case SERVER ->
                RedisClient.builder()
                        .hostAndPort(nodes.iterator().next())
                        .clientConfig(config)
                        .poolConfig(pool())
                        .build();
            case CLUSTER -> {
                // A client with topology refresh leaks its thread if no node is reachable, so try without it first.
                cluster(nodes, config).build().close();
                yield cluster(nodes, config)
                        .topologyRefreshPeriod(TOPOLOGY_REFRESH)
                        .build();
            }
            case SENTINEL ->
                RedisSentinelClient.builder()
                        .masterName(Objects.requireNonNull(url.master()))
                        .sentinels(nodes)
                        .sentinelClientConfig(settings().build())
                        .clientConfig(config)
                        .poolConfig(pool())
                        .build();
        };
    }

    private ClusterClientBuilder<RedisClusterClient> cluster(Set<HostAndPort> nodes, JedisClientConfig config) {
        return RedisClusterClient.builder()
                .nodes(nodes)
                .clientConfig(config)
                .poolConfig(pool())
                .maxAttempts(ATTEMPTS)
                .maxTotalRetriesDuration(RETRY_LIMIT);
    }

    /** Drops the idle connections, because if one is broken the others are, too. */
    static void forgetIdle(UnifiedJedis client) {
        if (client instanceof RedisClient server) {
            server.getPool().clear();
        } else if (client instanceof RedisClusterClient cluster) {
            cluster.getClusterNodes().values().forEach(pool -> pool.clear());
        } else if (client instanceof RedisSentinelClient sentinel) {
            sentinel.getPrimaryNodesConnectionMap().values().forEach(pool -> pool.clear());
        }
    }

    private DefaultJedisClientConfig.Builder settings() {
        DefaultJedisClientConfig.Builder settings = DefaultJedisClientConfig.builder()
                .resp2() // supported by every server and proxy
                .clientName("porchlight")
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis(networkMillis)
                .socketTimeoutMillis(networkMillis);
        if (url.tls()) {
            // The JDK's trust store, with host name verification.
            settings.sslOptions(
                    SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        return settings;
    }

    private ConnectionPoolConfig pool() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        pool.setMaxWait(poolTimeout);
        pool.setJmxEnabled(false);
        return pool;
    }
}
