// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.support.Patience;
import java.net.URI;

/** R11: PostgreSQL over a slow, unreliable network. */
public final class PostgresSlowAndFlaky {

    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        FaultProxy proxy = bed.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        URI address = service.address();
        People people = People.register(address, "someone-", 4);
        RegistrationLoad registrations = new RegistrationLoad(address, "new-");
        proxy.set(Toxics.NONE.latency(300, 100).bandwidth(64_000).resetEvery(20));
        int started = proxy.accepted();
        Outcome logins;
        Outcome registered;
        try (ClosedLoop loggingIn = new ClosedLoop(4, people.loginRequests(address, 4, Patience.LIMIT));
                ClosedLoop registering = new ClosedLoop(2, registrations.tasks(address, Patience.LIMIT))) {
            for (int i = 0; i < bed.rounds(3, 1); i++) {
                Thread.sleep(20_000);
                proxy.resetAll();
            }
            logins = loggingIn.stop();
            registered = registering.stop();
        }
        proxy.set(Toxics.NONE);
        long clean = logins.only(it -> it.ok() || it.status() == 503).count();
        findings.expect(clean == logins.count(), "login requests %s", logins);
        findings.expect(logins.ok() > 0, "%.1f %% succeeded", 100.0 * logins.ok() / logins.count());
        findings.expect(logins.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500), "none took longer");
        findings.expect(Outage.clean(registered), "registrations %s", registered.statuses());
        findings.note("%d connections to PostgreSQL", proxy.accepted() - started);
        Outage.expectNothingLost(service, registrations, findings);
        String twice = postgres.sql(
                "select count(*) from (select user_id from passkey_credential group by user_id having count(*) > 1) t");
        findings.expect(twice.equals("0"), "%s users with a passkey twice", twice);
    }
}
