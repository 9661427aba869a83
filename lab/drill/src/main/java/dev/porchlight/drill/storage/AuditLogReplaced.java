// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** R37: the audit tables are wiped, or replaced by an older copy, while the service is stopped. */
public final class AuditLogReplaced {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final List<String> TABLES = List.of("porchlight_audit", "porchlight_audit_head");

    public void run(TestBed bed) throws Exception {
        Launch launch = bed.service();
        try (Instance service = bed.start(launch);
                Connection connection = service.connect()) {
            Person person = Users.register(connection, service.address(), "person");
            each(launch, "CREATE TABLE older_%1$s AS SELECT * FROM %1$s");
            person.tryLogin();
        }
        boolean all = bed.rounds(1, 0) > 0;
        if (all) {
            bed.expect(bed.status(launch, "audit", "verify") == 0, "verified before");
        }

        each(launch, "CREATE TABLE newest_%1$s AS SELECT * FROM %1$s");
        each(launch, "DELETE FROM %1$s");
        judge("wiped", launch, bed);

        each(launch, "DELETE FROM %1$s");
        each(launch, "INSERT INTO %1$s SELECT * FROM older_%1$s");
        judge("older copy", launch, bed);

        each(launch, "DELETE FROM %1$s");
        each(launch, "INSERT INTO %1$s SELECT * FROM newest_%1$s");
        if (all) {
            bed.expect(bed.status(launch, "audit", "verify") == 0, "verified again with the newest rows");
        }
    }

    private static void judge(String what, Launch launch, TestBed bed) throws Exception {
        int verified = bed.status(launch, "audit", "verify");
        int ready = readiness(launch, bed);
        bed.expect(verified == 1 && ready == 503, "%s: audit verify %d, readiness %d", what, verified, ready);
    }

    /** The readiness status when the service is ready or reports the audit log; 0 if neither happens. */
    private static int readiness(Launch launch, TestBed bed) throws IOException, InterruptedException {
        try (Instance service = launch.launch()) {
            AtomicInteger status = new AtomicInteger();
            Event judged = () -> {
                try {
                    TestResponse ready = service.get("/health/ready");
                    // other checks may be down at first, on a busy machine
                    if (ready.ok() || ready.body().contains("\"audit\":{\"status\":\"down\"")) {
                        status.set(ready.status());
                    }
                } catch (IOException notYet) {
                    // not listening yet
                }
                return status.get() != 0;
            };
            judged.await(bed.limit(TIMEOUT));
            return status.get();
        }
    }

    private static void each(Launch launch, String statement) throws SQLException {
        EmbeddedDatabase.update(
                launch, TABLES.stream().map(statement::formatted).toList());
    }
}
