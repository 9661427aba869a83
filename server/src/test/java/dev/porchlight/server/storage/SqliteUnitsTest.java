// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.TestDatabase;

class SqliteUnitsTest extends UnitsContract {
    @Override
    TestDatabase engine() {
        return TestDatabase.SQLITE;
    }
}
