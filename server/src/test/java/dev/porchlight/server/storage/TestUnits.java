// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.time.Clock;
import java.time.Duration;
import javax.sql.DataSource;

/** Units of work on the test's connections. */
public final class TestUnits implements AutoCloseable {
    private final TestDatabase engine;
    private final Committer committer;
    private final Units units;

    public TestUnits(DataSource connections, TestDatabase engine, AuditTrail trail) {
        this.engine = engine;
        BatchWriter batches = engine == TestDatabase.SQLITE ? new SqliteWriter() : new PostgresWriter();
        committer = new Committer(connections, connection -> {}, Duration.ofSeconds(60), batches);
        units = new Units(committer, trail, statement -> () -> {});
    }

    /** The maintenance of this database. */
    public TableMaintenance maintenance(Sql sql, Clock clock) {
        return new TableMaintenance(sql, engine == TestDatabase.SQLITE ? Engine.SQLITE : Engine.POSTGRESQL, clock);
    }

    public Units units() {
        return units;
    }

    @Override
    public void close() {
        units.close();
        committer.close();
    }
}
