// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import java.time.Duration;

/** R10: what is sent to PostgreSQL vanishes, and nothing says so. */
public final class PostgresBlackHole {
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
