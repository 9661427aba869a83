// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import org.junit.jupiter.api.Nested;

class RecoveryTest {
    @Nested
    class OnSqlite extends RecoveryContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends RecoveryContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }
}
