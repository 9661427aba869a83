// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** R1: SIGKILL at random moments while users register, repeatedly on the same data. */
public final class KillWhileRegistering {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;

    public void run(TestBed bed) throws Exception {
        rounds("SQLite", bed, bed.services().killed(), null, bed.rounds(50, 2));
        PostgresServer postgres = bed.postgres();
        Restartable service = new Restartable(bed, bed.service().with("DATABASE_URL", postgres.jdbcUrl()));
        rounds("PostgreSQL", bed, service, postgres, bed.rounds(50, 3));
    }

    private static void rounds(
            String database, TestBed bed, Restartable service, @Nullable PostgresServer postgres, int rounds)
            throws IOException, InterruptedException {
        List<Person> acknowledged = new ArrayList<>();
        int missing = 0;
        int stuck = 0;
        double slowest = 0;
        @Nullable RegistrationLoad last = null;
        for (int round = 0; round <= rounds; round++) {
            long begin = System.nanoTime();
            Instance instance = service.running();
            slowest = Math.max(slowest, (System.nanoTime() - begin) / 1e6);
            try (Connection connection = instance.connect()) {
                if (last != null) {
                    missing += last.missing(connection);
                    stuck += last.stuck(connection);
                    acknowledged.addAll(last.acknowledged());
                }
                if (round < rounds) {
                    last = registerUntilKilled(bed, instance, round % 3 == 2 ? postgres : null, round);
                } else {
                    missing += RegistrationLoad.missing(connection, acknowledged);
                }
            }
        }
        bed.note("%s: %d rounds, %,d passkeys acknowledged", database, rounds, acknowledged.size());
        bed.expect(missing == 0 && !acknowledged.isEmpty(), "%d of them missing", missing);
        bed.expect(stuck == 0, "%d half registered", stuck);
        bed.expect(slowest <= bed.limit(5_000), "first 200 at most %.1f s after a restart", slowest / 1e3);
    }

    private static RegistrationLoad registerUntilKilled(
            TestBed bed, Instance service, @Nullable PostgresServer postgres, int round)
            throws IOException, InterruptedException {
        URI address = service.address();
        RegistrationLoad registrations = new RegistrationLoad(address, "r" + round + "-");
        try (Loop loop = Loop.closed(WORKERS, registrations.tasks(address, TIMEOUT))) {
            // some rounds need an acknowledged passkey
            if (round % 2 == 0 && !loop.successes(1).await(bed.limit(TIMEOUT))) {
                bed.expect(false, "round %d: no registration succeeded", round);
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(50, bed.rounds(1_500, 500)));
            if (postgres != null) {
                postgres.kill();
                Thread.sleep(ThreadLocalRandom.current().nextLong(200));
            }
            service.kill();
            loop.stop();
        }
        if (postgres != null) {
            postgres.restart();
        }
        return registrations;
    }
}
