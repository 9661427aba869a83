// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class AccessTest {
    @Nested
    class OnSqlite extends AccessContract {
        private String url;

        @BeforeAll
        void start() {
            url = TestDatabase.SQLITE.freshUrl();
            Service service = Service.at(url);
            use(service, service);
        }

        @Override
        Map<String, String> environment() {
            return Map.of("DATABASE_URL", url, "SESSION_SECRET", Service.SECRET);
        }
    }

    @Nested
    class OnPostgres extends AccessContract {
        private String url;

        @BeforeAll
        void start() {
            url = TestDatabase.POSTGRES.freshUrl();
            use(Service.at(url), Service.at(url));
        }

        @Override
        Map<String, String> environment() {
            return Map.of("DATABASE_URL", url, "SESSION_SECRET", Service.SECRET);
        }
    }

    @Nested
    class OnPostgresWithRedis extends AccessContract {
        private RedisServer redis;
        private String url;

        @BeforeAll
        void start() {
            redis = TestRedis.start();
            url = TestDatabase.POSTGRES.freshUrl();
            use(Service.at(url, "REDIS_URL", redis.url()), Service.at(url, "REDIS_URL", redis.url()));
        }

        @Override
        Map<String, String> environment() {
            return Map.of("DATABASE_URL", url, "REDIS_URL", redis.url(), "SESSION_SECRET", Service.SECRET);
        }

        @AfterAll
        void stopRedis() throws IOException {
            redis.close();
        }
    }
}
