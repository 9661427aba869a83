// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * R16: the schema moves to a later version under running instances. There is no later release to run, so the row applies
 * the changes that one would make.
 */
public final class RollingUpgrade {
    private static final int WORKERS = 8;
    /** In short mode, this many logins end a phase. */
    private static final int ENOUGH = 50;

    /** Like every migration: adds tables and records the oldest version that can work with the result. */
    private static final String NEXT_VERSION = """
        ALTER TABLE passkey_credential ADD COLUMN of_a_later_release TEXT;
        CREATE TABLE of_a_later_release (id TEXT NOT NULL PRIMARY KEY);
        UPDATE passkey_schema SET version = version + 1 WHERE part IN ('passkey', 'server');
        """;

    public void run(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        // four concurrent starts are slow on a busy machine, and waiting times are not the subject
        // here
        List<Launch> launches = bed.services(4, postgres.jdbcUrl() + "&loginTimeout=" + bed.rounds(5, 30));
        List<Instance> instances = new ArrayList<>();
        for (Launch launch : launches) {
            instances.add(bed.stopAtEnd(launch.launch()));
        }
        for (Instance instance : instances) {
            instance.awaitReady(bed.limit(Duration.ofSeconds(60)));
        }
        bed.note("4 concurrent starts ready on one empty database");
        instances.get(2).close();
        instances.get(3).close();
        Instance loaded = instances.get(0);
        Instance restarting = instances.get(1);
        People people = People.register(loaded.address(), "user-", WORKERS);
        Loop load = bed.stopAtEnd(
                bed.withoutPause(WORKERS, 30, people.logins(loaded.address(), WORKERS, Duration.ofSeconds(10))));
        bed.pass(Duration.ofSeconds(5), load.successes(ENOUGH));
        postgres.sql(NEXT_VERSION);
        bed.pass(Duration.ofSeconds(5), load.successes(ENOUGH));
        restarting.close();
        boolean startedAgain = bed.isReady(bed.start(launches.get(1)));
        Outcome outcome = load.stop();
        bed.expect(outcome.allOk(), "%s %s", outcome, outcome.failures());
        bed.expect(startedAgain, "an instance of the older release started with the newer tables");
        bed.expect(bed.isReady(loaded), "the instance that kept running is ready");
        postgres.sql("UPDATE passkey_schema SET oldest = 99 WHERE part = 'passkey'");
        Instance tooOld = bed.stopAtEnd(launches.get(2).launch());
        int exit = tooOld.awaitExit(bed.limit(Duration.ofSeconds(20)));
        bed.expect(exit != 0, "with tables that require a newer release it exits with %d", exit);
    }
}
