// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.testkit.redis.RedisServer;

/** A service with its rate limits in a Redis that rows break and repair, one row after another. */
public record RedisLimits(RedisServer redis, Instance service) {
    /** A limit that no row reaches, so that every request uses Redis and none is refused. */
    static final String PER_MINUTE = "1000000";

    /** The service of this test bed. */
    public static RedisLimits on(TestBed bed) throws Exception {
        return bed.inTurn(RedisLimits.class, RedisLimits::start);
    }

    private static RedisLimits start(TestBed bed) throws Exception {
        RedisServer redis = bed.stopAtEnd(RedisServer.start());
        return new RedisLimits(
                redis,
                bed.start(bed.serviceWithDeadline()
                        .with("REDIS_URL", redis.url())
                        .with("RATE_LIMIT_PER_MINUTE", PER_MINUTE)));
    }
}
