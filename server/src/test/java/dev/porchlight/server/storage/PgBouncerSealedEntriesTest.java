// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PgBouncerSealedEntriesTest extends SealedEntriesContract {
    private static Database database;
    private static SealedEntries entries;

    @BeforeAll
    static void open() {
        database = Database.open(DatabaseUrl.parse(TestDatabase.PGBOUNCER.freshUrl()), 8);
        database.migrate(Duration.ofSeconds(10));
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
