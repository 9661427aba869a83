// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Behavior of one service that must hold on every kind of storage. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ServiceContract {
    Service service;
    private RedisServer redis;

    abstract TestDatabase database();

    /** Whether what instances share for a short time is in Redis. */
    boolean withRedis() {
        return false;
    }

    /** The settings of the storage beside the database, as pairs of name and value. */
    String[] variables() {
        return redis == null ? new String[0] : new String[] {"REDIS_URL", redis.url()};
    }

    @BeforeAll
    void start() {
        if (withRedis()) {
            redis = TestRedis.start();
        }
        service = Service.on(database(), variables());
    }

    @AfterAll
    void stop() throws IOException {
        if (service != null) {
            service.close();
        }
        if (redis != null) {
            redis.close();
        }
    }
}
