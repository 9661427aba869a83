// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Backends;
import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import dev.porchlight.testkit.postgres.PgBouncerServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** R8 to R10: PostgreSQL dies, hangs or is unreachable, and comes back. */
public final class PostgresOutages {
    private static final Duration SETTLED = Duration.ofSeconds(10);

    private PostgresOutages() {}

    /** R8: PostgreSQL dies under load. */
    public static void killed(TestBed bed, Findings findings) throws Exception {
        Backends backends = bed.backends();
        Cluster postgres = backends.postgres();
        Instance service = backends.service();
        double before = connections(service);
        Outage outage = new Outage("killed", bed, service, findings);
        Duration length = Duration.ofSeconds(10);
        outage.run("killed", bed.rounds(200, 50), length, postgres::kill, postgres::start);
        if (bed.rounds(2, 1) == 2) {
            outage.run("stopped", 200, length, postgres::stopImmediately, postgres::start);
        }
        Event settled = () -> connections(service) == before;
        settled.await(bed.limit(SETTLED));
        double after = connections(service);
        findings.expect(after == before, "%.0f connections before, %.0f at the end", before, after);
        behindPgBouncer(bed, findings);
    }

    /** PgBouncer ignores its clients' timeouts, so the server sets them. */
    private static void behindPgBouncer(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        for (String timeout : List.of(
                "statement_timeout = 1500", "lock_timeout = 1000", "idle_in_transaction_session_timeout = 10000")) {
            postgres.sql("alter role porchlight set " + timeout);
        }
        PgBouncerServer bouncer = bed.stopAtEnd(PgBouncerServer.start(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(bouncer.port())));
        new Outage("killed", bed, service, findings)
                .run(
                        "killed behind PgBouncer",
                        bed.rounds(200, 50),
                        Duration.ofSeconds(10),
                        postgres::kill,
                        postgres::start);
    }

    private static double connections(Instance service) throws IOException {
        return service.metric("db_pool_connections{state=\"idle\"}")
                + service.metric("db_pool_connections{state=\"active\"}");
    }

    /** R9: PostgreSQL keeps its connections open and does not respond. */
    public static void hung(TestBed bed, Findings findings) throws Exception {
        Backends backends = bed.backends();
        Cluster postgres = backends.postgres();
        new Outage("hung", bed, backends.service(), findings)
                .run("hung", 20, Duration.ofSeconds(60), postgres::pause, postgres::resume);
    }

    /** R10: packets to PostgreSQL are dropped silently. */
    public static void unreachable(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        FaultProxy proxy = bed.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        new Outage("unreachable", bed, service, findings)
                .run(
                        "black hole",
                        20,
                        Duration.ofSeconds(60),
                        () -> proxy.set(Toxics.NONE.blackHole(true)),
                        () -> proxy.set(Toxics.NONE));
    }
}
