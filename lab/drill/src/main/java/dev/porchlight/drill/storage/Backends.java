// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.testkit.redis.RedisServer;

/**
 * A service on PostgreSQL and Redis that rows break and repair, one row after another.
 *
 * @param launch the launch of the service, for its commands
 */
public record Backends(Cluster postgres, RedisServer redis, Launch launch, Instance service) {
    /** The service of this test bed. */
    public static Backends on(TestBed bed) throws Exception {
        return bed.inTurn(Backends.class, Backends::start);
    }

    private static Backends start(TestBed bed) throws Exception {
        Cluster postgres = bed.postgres();
        RedisServer redis = bed.stopAtEnd(RedisServer.start());
        Launch launch = bed.service().with("DATABASE_URL", postgres.jdbcUrl()).with("REDIS_URL", redis.url());
        return new Backends(postgres, redis, launch, bed.start(launch));
    }
}
