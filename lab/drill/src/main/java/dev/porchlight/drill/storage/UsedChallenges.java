// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Request;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** R4 and R5: a challenge works once. */
public final class UsedChallenges {
    private static final int COPIES = 64;

    private UsedChallenges() {}

    /** R4: one assertion, sent 64 times concurrently. */
    public static void manyTimes(TestBed bed) throws Exception {
        int rounds = bed.rounds(500, 10);
        for (Store store : List.of(Store.POSTGRESQL, Store.SQLITE)) {
            try (Fleet fleet = bed.services().fleet(store)) {
                race(fleet, bed, rounds);
            }
        }
    }

    private static void race(Fleet fleet, TestBed bed, int rounds) throws Exception {
        String store = fleet.store();
        List<Connection> connections = fleet.connect(bed, COPIES);
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
        bed.expect(successes[1] == rounds, "%s: one success in %d of %d rounds", store, successes[1], rounds);
        bed.expect(refused == rounds * (COPIES - 1), "%,d of %,d others refused", refused, rounds * (COPIES - 1));
    }

    /** R5: a valid response to a challenge that an invalid one has used. */
    public static void afterInvalid(TestBed bed) throws Exception {
        int rounds = bed.rounds(100, 10);
        int wrong = 0;
        int late = 0;
        int fresh = 0;
        try (Fleet fleet = bed.services().fleet(Store.SQLITE);
                Connection connection = fleet.first().connect()) {
            Person ada = Users.register(connection, fleet.first().address(), "wrong-then-right");
            Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
            for (int i = 0; i < rounds; i++) {
                TestResponse options = ada.options();
                String invalid = ada.browser().get(options.body(), mutation);
                wrong += ada.finishLogin(invalid).status() == 401 ? 1 : 0;
                late += ada.finishLogin(ada.respond(options)).status() == 401 ? 1 : 0;
                fresh += ada.tryLogin().ok() ? 1 : 0;
            }
        }
        bed.note("%d rounds", rounds);
        bed.expect(wrong == rounds, "%d invalid responses refused", wrong);
        bed.expect(late == rounds, "%d valid responses after them refused", late);
        bed.expect(fresh == rounds, "%d logins with a new challenge succeeded", fresh);
    }
}
