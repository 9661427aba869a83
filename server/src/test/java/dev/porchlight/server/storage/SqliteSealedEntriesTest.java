// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.TestDatabase;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SqliteSealedEntriesTest extends SealedEntriesContract {
    private static Database database;
    private static SealedEntries entries;

    @BeforeAll
    static void open() {
        database = Database.open(DatabaseUrl.parse(TestDatabase.SQLITE.freshUrl()), 8);
        ServerTables.migrate(database.dataSource());
        entries = new SqlSealedEntries(database.sql(), Clock.systemUTC());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Override
    protected SealedEntries entries() {
        return entries;
    }
}
