// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.support.Patience;
import java.time.Clock;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SqlSealedEntriesTest extends SealedEntriesContract {
    @Parameter
    TestDatabase engine;

    private static Database database;
    private static SealedEntries entries;

    @BeforeParameterizedClassInvocation
    static void open(TestDatabase engine) {
        database = TestDatabase.open(engine.freshUrl(), 8);
        database.migrate(Patience.LIMIT);
        entries = new SqlSealedEntries(database.sql(), Clock.systemUTC());
    }

    @AfterParameterizedClassInvocation
    static void close() {
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected SealedEntries entries() {
        return entries;
    }
}
