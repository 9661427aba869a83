// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.util.Map;
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
}
