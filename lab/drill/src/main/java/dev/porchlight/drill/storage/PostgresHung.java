// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.Promise;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import java.time.Duration;

/** R9: PostgreSQL keeps its connections and answers nothing. */
public final class PostgresHung extends Scenario {
    public PostgresHung() {
        super(
                "R9",
                "all processes of PostgreSQL stopped with SIGSTOP for 60 s, under 20 requests a second",
                "503 with Retry-After within 2 s, live but not ready, threads do not pile up; healed within 10 s of SIGCONT",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        Instance service = bed.start(bed.service().with("DATABASE_URL", postgres.jdbcUrl()));
        new Outage(bed, service, findings)
                .happens("hung", 20, Duration.ofSeconds(60), postgres::pause, postgres::resume);
    }
}
