// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Launch;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import dev.porchlight.testkit.redis.RedisMissingException;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fleets on a test bed, started when first needed. Rows that use them leave the instances running and the storage unbroken.
 * Those on PostgreSQL share its database with {@link Backends}. Thread-safe.
 */
final class Fleets {
    private final TestBed bed;
    private final boolean shared;
    private final Map<Store, Fleet> running = new EnumMap<>(Store.class);
    private @Nullable Cluster postgres;
    private @Nullable Backends backends;

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
    synchronized Fleet get(Store store) throws IOException, InterruptedException, PostgresMissingException {
        Fleet fleet = running.get(store);
        if (fleet == null) {
            fleet = start(store);
            if (shared) {
                running.put(store, fleet);
            }
        }
        return fleet;
    }

    /** Returns the running service that the rows share, or starts one. */
    synchronized Backends backends()
            throws IOException, InterruptedException, PostgresMissingException, RedisMissingException {
        Backends known = backends;
        if (known == null) {
            RedisServer redis = bed.stopAtEnd(RedisServer.start());
            Launch launch = bed.serviceWithDeadline();
            launch.with("DATABASE_URL", postgres().jdbcUrl())
                    .with("REDIS_URL", redis.url())
                    .with("RATE_LIMIT_PER_MINUTE", RedisLimits.PER_MINUTE)
                    .with("RP_ORIGIN", "http://localhost:" + launch.port());
            known = new Backends(postgres(), redis, launch, bed.start(launch));
            if (shared) {
                backends = known;
            }
        }
        return known;
    }

    private Fleet start(Store store) throws IOException, InterruptedException, PostgresMissingException {
        return switch (store) {
            case SQLITE -> fleet(store, List.of(bed.service()));
            case POSTGRESQL -> {
                List<Launch> launches = bed.services(2, postgres().jdbcUrl());
                // the time in which a proxy notices that an instance stops
                launches.forEach(launch -> launch.with("SHUTDOWN_DELAY_MS", "1500"));
                yield fleet(store, launches);
            }
        };
    }

    private Fleet fleet(Store store, List<Launch> launches) throws IOException, InterruptedException {
        return new Fleet(store.toString(), launches, bed.start(launches), bed, shared);
    }

    private Cluster postgres() throws IOException, PostgresMissingException {
        Cluster known = postgres;
        if (known == null) {
            known = bed.postgres();
            postgres = known;
        }
        return known;
    }
}
