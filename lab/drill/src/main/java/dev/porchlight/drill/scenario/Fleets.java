// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Launch;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import dev.porchlight.testkit.redis.RedisMissingException;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fleets on a test bed, started when first needed. Rows that use them break neither instances nor storage. Thread-safe. */
final class Fleets {
    private final TestBed bed;
    private final boolean shared;
    private final Map<Store, Fleet> running = new EnumMap<>(Store.class);
    private @Nullable String postgres;

    /**
     * Fleets that stop with the test bed.
     *
     * @param shared whether several rows use them
     */
    Fleets(TestBed bed, boolean shared) {
        this.bed = bed;
        this.shared = shared;
    }

    /** Returns the running fleet that the rows share, or starts one. */
    synchronized Fleet get(Store store)
            throws IOException, InterruptedException, PostgresMissingException, RedisMissingException {
        Fleet fleet = running.get(store);
        if (fleet == null) {
            List<Launch> launches = launches(store);
            fleet = new Fleet(store.toString(), launches, bed.start(launches), shared);
            if (shared) {
                running.put(store, fleet);
            }
        }
        return fleet;
    }

    private List<Launch> launches(Store store) throws IOException, PostgresMissingException, RedisMissingException {
        if (store == Store.SQLITE) {
            return List.of(bed.service());
        }
        if (postgres == null) {
            postgres = bed.postgres().jdbcUrl();
        }
        List<Launch> launches = bed.services(2, postgres);
        if (store == Store.REDIS) {
            RedisServer redis = bed.stopAtEnd(RedisServer.start());
            launches.forEach(launch -> launch.with("REDIS_URL", redis.url()));
        }
        return launches;
    }
}
