// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

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
}
