// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Request;
import dev.porchlight.rig.load.Users;
import dev.porchlight.rig.process.Parallel;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** R4: one assertion, sent 64 times concurrently. */
public final class OneAssertionManyTimes {
    private static final int COPIES = 64;

    public void run(TestBed bed, Findings findings) throws Exception {
        int rounds = bed.rounds(500, 10);
        for (Store store : List.of(Store.POSTGRESQL, Store.SQLITE)) {
            try (Fleet fleet = bed.fleet(store)) {
                race(fleet, bed, rounds, findings);
            }
        }
    }

    private static void race(Fleet fleet, TestBed bed, int rounds, Findings findings) throws Exception {
        String store = fleet.store();
        List<Connection> connections = fleet.connect(bed, COPIES, Patience.LIMIT);
        Person ada = Users.register(connections.get(0), fleet.first().address(), "ada-" + store);
        int[] successes = new int[COPIES + 1];
        int refused = 0;
        int tries = bed.rounds(1, 20);
        for (int round = 0; round < rounds; round++) {
            String response = ada.at(connections.get(round % COPIES)).assertion();
            CountDownLatch together = new CountDownLatch(COPIES);
            List<Integer> statuses = Parallel.map(connections, connection -> {
                together.countDown();
                together.await();
                Request finish = () -> ada.at(connection).finishLogin(response);
                return finish.send(tries).status();
            });
            successes[Collections.frequency(statuses, 200)]++;
            refused += Collections.frequency(statuses, 401);
        }
        findings.expect(successes[1] == rounds, "%s: one success in %d of %d rounds", store, successes[1], rounds);
        findings.expect(refused == rounds * (COPIES - 1), "%,d of %,d others refused", refused, rounds * (COPIES - 1));
    }
}
