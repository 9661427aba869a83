// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.TestDatabase;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SqliteSealedEntriesTest extends SealedEntriesContract {
    private static Database database;

    @BeforeAll
    static void open() {
        database = Database.open(DatabaseUrl.parse(TestDatabase.SQLITE.freshUrl()), 8);
        ServerTables.migrate(database.dataSource());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Override
    protected SealedEntries entries() {
        return new SqlSealedEntries(database.sql(), Clock.systemUTC());
    }
}
