// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.testkit.server.Ports;
import dev.porchlight.testkit.server.PostgresServer;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The services of a test bed, each started when first needed. In short mode, rows share them, so each row has its own users. A
 * row may break a service if it repairs it; such rows run one after another. Rows leave fleets running and their storage
 * unbroken. Thread-safe.
 */
public final class Services {
    /** A limit that no row reaches, so that every request uses Redis and none is refused. */
    private static final String UNREACHED_LIMIT = "1000000";

    private final TestBed bed;
    private final Map<Object, Object> started = new HashMap<>();

    Services(TestBed bed) {
        this.bed = bed;
    }

    /**
     * A service on PostgreSQL and Redis that rows break and repair.
     *
     * @param launch the launch of the service, for its commands
     */
    public record Backends(PostgresServer postgres, RedisServer redis, Launch launch, Instance service) {}

    /** A service with its rate limits in a Redis that rows break and repair. */
    public record RedisLimits(RedisServer redis, Instance service) {}

    /** A service with the default rate limit, for rows whose clients it must not limit. */
    public record LimitedService(Launch launch, Instance instance) {}

    /**
     * A service with a heap of 128 MB, for rows on held connections.
     *
     * @param management the same service at its management port, which connections to the other port cannot exhaust
     */
    public record SmallService(Instance instance, Instance management) {}

    /**
     * Instances on this storage, which a row does not break. In tests, rows with PostgreSQL run after all rows that use
     * {@link #backends()}, whose database it is.
     */
    public Fleet fleet(Fleet.Store store) throws Exception {
        return once(store, () -> {
            boolean sqlite = store == Fleet.Store.SQLITE;
            List<Launch> launches =
                    sqlite ? List.of(bed.service()) : bed.services(2, postgres().jdbcUrl());
            if (!sqlite) {
                // the time in which a proxy notices that an instance stops
                launches.forEach(launch -> launch.with("SHUTDOWN_DELAY_MS", "1500"));
            }
            return new Fleet(store, launches, bed.start(launches), bed);
        });
    }

    public Backends backends() throws Exception {
        return once("backends", () -> {
            RedisServer redis = bed.stopAtEnd(RedisServer.start());
            Launch launch = limitedBy(redis, bed.serviceWithDeadline())
                    .with("DATABASE_URL", postgres().jdbcUrl());
            launch.with("RP_ORIGIN", "http://localhost:" + launch.port());
            return new Backends(postgres(), redis, launch, bed.start(launch));
        });
    }

    public RedisLimits redisLimits() throws Exception {
        return once("redis limits", () -> {
            RedisServer redis = bed.stopAtEnd(RedisServer.start());
            return new RedisLimits(redis, bed.start(limitedBy(redis, bed.service())));
        });
    }

    /** A service with an embedded database, which rows kill and start again. */
    public Restartable killed() throws Exception {
        return once("killed", () -> new Restartable(bed, bed.service()));
    }

    /** A service with a heap of 64 MB, for rows on memory. */
    public Restartable smallHeap() throws Exception {
        return once(
                "small heap",
                () -> new Restartable(bed, bed.service().jvm("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch")));
    }

    public LimitedService limited() throws Exception {
        return once("limited", () -> {
            Launch launch = bed.service().with("RATE_LIMIT_PER_MINUTE", "120");
            return new LimitedService(launch, bed.start(launch));
        });
    }

    public SmallService small() throws Exception {
        return once("small", () -> {
            int port = Ports.free();
            Launch launch = bed.service().jvm("-Xmx128m").with("MANAGEMENT_PORT", Integer.toString(port));
            Instance instance = bed.stopAtEnd(launch.launch());
            Instance management = instance.at(port);
            management.awaitReady(bed.limit(Duration.ofSeconds(60)));
            return new SmallService(instance, management);
        });
    }

    private PostgresServer postgres() throws Exception {
        return once("postgres", bed::postgres);
    }

    private static Launch limitedBy(RedisServer redis, Launch launch) {
        return launch.with("REDIS_URL", redis.url()).with("RATE_LIMIT_PER_MINUTE", UNREACHED_LIMIT);
    }

    private interface Setup<T> {
        T start() throws Exception;
    }

    @SuppressWarnings("unchecked") // every name stands for one type
    private synchronized <T> T once(Object name, Setup<T> setup) throws Exception {
        Object known = started.get(name);
        if (known == null) {
            known = setup.start();
            started.put(name, known);
        }
        return (T) known;
    }

    /** A service whose process a row may end, and start again on the same data. Not thread-safe. */
    public static final class Restartable {
        private final TestBed bed;
        private final Launch launch;
        private Instance instance;

        /** Starts the service, which stops with the test bed. */
        public Restartable(TestBed bed, Launch launch) throws IOException, InterruptedException {
            this.bed = bed;
            this.launch = launch;
            instance = bed.start(launch);
        }

        /** Returns the running process. Starts a new one if the last has ended. */
        public Instance running() throws IOException, InterruptedException {
            if (!instance.process().isAlive()) {
                instance = bed.start(launch);
            }
            return instance;
        }
    }
}
