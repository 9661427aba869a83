// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

class UserAdminTest {
    @Nested
    class OnSqlite extends UserAdminContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends UserAdminContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }

    @Nested
    class OnRedis extends UserAdminContract {
        private final RedisServer redis = TestRedis.start();

        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }

        @Override
        String[] variables() {
            return new String[] {"REDIS_URL", redis.url()};
        }

        @AfterAll
        void stopRedis() throws IOException {
            redis.close();
        }
    }
}
