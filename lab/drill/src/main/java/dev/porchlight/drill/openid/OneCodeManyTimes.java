// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Request;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** R40: one code, and one refresh token, sent 64 times concurrently. */
public final class OneCodeManyTimes {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int COPIES = 64;

    public void run(TestBed bed) throws Exception {
        race(Store.POSTGRESQL, bed, bed.rounds(100, 5));
        int rounds = bed.rounds(100, 0); // the suite races on SQLite elsewhere
        if (rounds > 0) {
            race(Store.SQLITE, bed, rounds);
        }
    }

    private static void race(Store store, TestBed bed, int rounds) throws Exception {
        try (Fleet fleet = bed.services().fleet(store)) {
            race(fleet, bed, rounds);
        }
    }

    private static void race(Fleet fleet, TestBed bed, int rounds) throws Exception {
        String store = fleet.store();
        List<Connection> connections = fleet.connect(bed, COPIES);
        Connection first = connections.get(0);
        Person ada = Users.register(first, fleet.first().address(), "ada");
        String session = ada.tryLogin().cookie();
        OpenIdClient client = Users.client(first, "app");
        for (Instance instance : fleet.instances()) {
            awaitOpenId(instance, bed.limit(TIMEOUT));
        }
        int tries = bed.rounds(1, 20);
        Race codes = new Race(client, connections, tries);
        Race refreshes = new Race(client, connections, tries);
        for (int round = 0; round < rounds; round++) {
            Connection one = connections.get(round % COPIES);
            String code = client.at(one).code(session);
            codes.run(app -> app.redeem(code));
            TestResponse tokens = client.at(one).redeem(client.at(one).code(session));
            String refreshToken = tokens.field("refresh_token");
            refreshes.run(app -> app.refresh(refreshToken));
        }
        codes.report(bed, store + ", codes", rounds);
        refreshes.report(bed, store + ", refresh tokens", rounds);
    }

    /** Waits until an instance has noticed that there is a client, which takes some seconds. */
    static void awaitOpenId(Instance instance, Duration atMost) throws IOException, InterruptedException {
        Event on = () -> instance.get("/.well-known/openid-configuration").ok();
        if (!on.await(atMost)) {
            throw new IOException("OpenID Connect stays off on " + instance.address());
        }
    }

    /** Rounds of concurrent requests, of which one may succeed. */
    private static final class Race {
        private final OpenIdClient client;
        private final List<Connection> connections;
        private final int tries;
        private int won;
        private int refused;
        private int alive;

        private Race(OpenIdClient client, List<Connection> connections, int tries) {
            this.client = client;
            this.connections = connections;
            this.tries = tries;
        }

        private void run(Function<OpenIdClient, TestResponse> copy) throws IOException, InterruptedException {
            CountDownLatch together = new CountDownLatch(COPIES);
            List<TestResponse> responses = Parallel.map(connections, connection -> {
                together.countDown();
                together.await();
                Request request = () -> copy.apply(client.at(connection));
                return request.send(tries);
            });
            List<TestResponse> winners =
                    responses.stream().filter(TestResponse::ok).toList();
            won += winners.size() == 1 ? 1 : 0;
            refused += (int) responses.stream()
                    .filter(it -> it.status() == 400 && it.field("error").equals("invalid_grant"))
                    .count();
            for (TestResponse winner : winners) {
                OpenIdClient app = client.at(connections.get(connections.size() - 1));
                boolean live = app.userinfo(winner.field("access_token")).ok()
                        || app.refresh(winner.field("refresh_token")).ok();
                alive += live ? 1 : 0;
            }
        }

        private void report(TestBed bed, String what, int rounds) {
            bed.expect(won == rounds, "%s: one success in %d of %d rounds", what, won, rounds);
            bed.expect(refused == rounds * (COPIES - 1), "%,d of %,d others refused", refused, rounds * (COPIES - 1));
            bed.expect(alive == 0, "%d winners with live tokens afterwards", alive);
        }
    }
}
