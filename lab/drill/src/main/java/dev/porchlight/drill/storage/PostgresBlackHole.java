// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import java.time.Duration;

/** R10: what is sent to PostgreSQL vanishes, and nothing says so. */
public final class PostgresBlackHole implements Row {
    @Override
    public About about() {
        return new About(
                "R10",
                "nothing passes between the service and PostgreSQL for 60 s, and no connection is refused or reset, under 20"
                        + " requests a second",
                "503 with Retry-After within 2 s, live but not ready, threads do not pile up; healed within 10 s",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public boolean quick() {
        return false; // R9 takes the same ways through the service
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        Cluster postgres = ground.postgres();
        FaultProxy proxy = ground.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = ground.start(ground.service().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        new Outage(ground, service, findings)
                .happens(
                        "black hole",
                        20,
                        Duration.ofSeconds(60),
                        () -> proxy.set(Toxics.NONE.blackHole(true)),
                        () -> proxy.set(Toxics.NONE));
    }
}
