// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** R14: more requests than connections, and statements that hang. */
public final class PoolExhausted {
    private static final int WORKERS = 32;

    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        Instance service = bed.start(bed.serviceWithDeadline()
                .with("DATABASE_URL", postgres.jdbcUrl())
                .with("DATABASE_CONNECTIONS", "2"));
        URI address = service.address();
        People people = People.register(address, "someone-", WORKERS);
        int seconds = bed.rounds(10, 3);
        Outcome outcome;
        long freed;
        try (ClosedLoop logins = new ClosedLoop(WORKERS, people.loginRequests(address, WORKERS, Patience.LIMIT))) {
            bed.pass(Duration.ofSeconds(1), logins.successes(WORKERS));
            lockEverything(postgres, seconds);
            freed = logins.now();
            bed.pass(Duration.ofSeconds(3), logins.successes(WORKERS));
            outcome = logins.stop().served();
        }
        long locked = freed - Duration.ofSeconds(seconds).toNanos();
        Outcome whileLocked = outcome.only(it -> it.started() < freed && it.ended() > locked);
        long clean = outcome.only(it -> it.ok() || it.status() == 503).count();
        findings.expect(clean == outcome.count(), "requests %s", outcome.statuses());
        findings.expect(whileLocked.count(503) > 0, "while locked %s", whileLocked.statuses());
        findings.expect(
                whileLocked.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                "slowest %.0f ms",
                whileLocked.slowestMillis());
        double healed = outcome.millisToSuccessAfter(freed);
        findings.expect(healed <= bed.limit(10_000), "recovered after %.1f s", healed / 1e3);
    }

    private static void lockEverything(Cluster postgres, int seconds) throws IOException {
        postgres.sql(
                "do $$ declare t record; begin for t in select tablename from pg_tables where schemaname = 'public'"
                        + " loop execute format('lock table %I in access exclusive mode', t.tablename); end loop;"
                        + " perform pg_sleep(" + seconds + "); end $$");
    }
}
