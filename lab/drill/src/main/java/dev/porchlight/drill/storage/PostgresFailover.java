// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.support.Patience;
import java.net.URI;
import java.time.Duration;

/** R12: the primary dies and its standby is promoted. */
public final class PostgresFailover {
    private static final int WORKERS = 32;
    /** In short mode, this many requests end a phase. */
    private static final int ENOUGH = 20;

    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster primary = bed.postgres();
        Cluster standby = bed.stopAtEnd(primary.standby());
        String url = primary.jdbcUrl(primary.port(), standby.port());
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", url));
        URI address = service.address();
        People people = People.register(address, "someone-", WORKERS);
        RegistrationLoad registrations = new RegistrationLoad(address, "new-");
        Outcome outcome;
        long killed;
        long promoted;
        try (OpenLoop logins = new OpenLoop(50, WORKERS, people.loginRequests(address, WORKERS, Patience.LIMIT));
                Loop registering = bed.withoutPause(4, 10, registrations.tasks(address, Patience.LIMIT))) {
            bed.pass(Duration.ofSeconds(3), logins.successes(ENOUGH).and(registering.successes(1)));
            killed = logins.now();
            primary.kill();
            bed.pass(Duration.ofSeconds(3), logins.refusals(ENOUGH));
            promoted = logins.now();
            standby.promote();
            bed.pass(Duration.ofSeconds(15), logins.successes(ENOUGH).and(registering.successes(1)));
            outcome = logins.stop().served();
            registering.stop();
        }
        Outcome after = outcome.only(it -> it.started() >= killed);
        long clean = outcome.only(it -> it.ok() || it.status() == 503).count();
        double gap = outcome.longestGapMillis();
        findings.expect(
                gap <= bed.limit(15_000),
                "%.1f s without a success, %.0f s of them until the promotion",
                gap / 1e3,
                (promoted - killed) / 1e9);
        findings.expect(clean == outcome.count(), "requests %s", outcome.statuses());
        findings.expect(
                after.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                "slowest after the kill %.0f ms",
                after.slowestMillis());
        Outage.expectNothingLost(service, registrations, findings);
        findings.expect(service.process().isAlive(), "no restart");
    }
}
