// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.Promise;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import java.time.Duration;

/** R10: what is sent to PostgreSQL vanishes, and nothing says so. */
public final class PostgresBlackHole extends Scenario {
    public PostgresBlackHole() {
        super(
                InTests.NEVER, // R9 takes the same ways through the service
                "R10",
                "nothing passes between the service and PostgreSQL for 60 s, and no connection is refused or reset, under 20"
                        + " requests a second",
                "503 with Retry-After within 2 s, live but not ready, threads do not pile up; healed within 10 s",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        FaultProxy proxy = bed.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = bed.start(bed.service().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        new Outage(bed, service, findings)
                .happens(
                        "black hole",
                        20,
                        Duration.ofSeconds(60),
                        () -> proxy.set(Toxics.NONE.blackHole(true)),
                        () -> proxy.set(Toxics.NONE));
    }
}
