// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import java.time.Duration;

/** R9: PostgreSQL keeps its connections and answers nothing. */
public final class PostgresHung {
    public void run(TestBed bed, Findings findings) throws Exception {
        Cluster postgres = bed.postgres();
        Instance service = bed.start(bed.service().with("DATABASE_URL", postgres.jdbcUrl()));
        new Outage(bed, service, findings)
                .happens("hung", 20, Duration.ofSeconds(60), postgres::pause, postgres::resume);
    }
}
