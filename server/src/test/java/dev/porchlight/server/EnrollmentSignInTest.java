// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import org.junit.jupiter.api.Nested;

class EnrollmentSignInTest {
    @Nested
    class OnSqlite extends EnrollmentSignInContract {
        @Override
        TestDatabase database() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends EnrollmentSignInContract {
        @Override
        TestDatabase database() {
            return TestDatabase.POSTGRES;
        }
    }
}
