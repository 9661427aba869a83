// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** A real Redis and a client for many threads. */
record TestRedis(RedisServer server, RedisClient jedis) implements AutoCloseable {
    /** Starts the server. Skips the test if it is missing, except in CI, where that is a failure. */
    static TestRedis start() throws IOException {
        RedisServer server;
        try {
            server = RedisServer.start();
        } catch (MissingProgramException e) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(e.getMessage());
            }
            System.err.println("Skipped: " + e.getMessage());
            return Assumptions.abort(e.getMessage());
        }
        var pool = new ConnectionPoolConfig();
        pool.setMaxTotal(64);
        RedisClient jedis = RedisClient.builder()
                .hostAndPort("127.0.0.1", server.port())
                .poolConfig(pool)
                .build();
        return new TestRedis(server, jedis);
    }

    @Override
    public void close() throws IOException {
        jedis.close();
        server.close();
    }
}
