// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import org.junit.jupiter.api.Nested;

class NamesTest {
    @Nested
    class OnSqlite extends NamesContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends NamesContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }
}
