// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.openid.FapiClient.Signed;
import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * R47: one of two instances is 45 seconds ahead. What may be used once is sent to both, and again when the instance that is ahead
 * has removed what has expired.
 */
public final class SkewedInstances {
    private static final Duration AHEAD = Duration.ofSeconds(45);
    /** Then assertions and proofs have expired for the instance that is ahead, and the other one accepts them still. */
    private static final Duration LATER = Duration.ofSeconds(70);
    /** Instances remove expired rows every 30 seconds. */
    private static final Duration REMOVAL = Duration.ofSeconds(32);

    private final List<Connection> connections = new ArrayList<>();
    private int sent;
    private int accepted;
    private int twice;

    public void run(TestBed bed) throws Exception {
        List<Launch> launches = bed.services(2, bed.postgres().jdbcUrl());
        FakeClock behind = new FakeClock(bed, "behind");
        FakeClock ahead = new FakeClock(bed, "ahead");
        behind.on(launches.get(0));
        ahead.on(launches.get(1));
        List<Instance> instances = bed.start(launches);
        for (Instance instance : instances) {
            connections.add(bed.stopAtEnd(instance.connect()));
        }
        Connection first = connections.get(0);
        ahead.set(AHEAD, connections.get(1));
        URI origin = instances.get(0).address();
        Person ada = Users.register(first, origin, "ada");
        FapiClient fapi = FapiClient.register(first, origin, behind::now);
        for (Connection connection : connections) { // within some seconds an instance notices that there is a client
            Event on = () -> connection.get("/.well-known/openid-configuration").ok();
            bed.expect(on.await(Patience.LIMIT), "an instance offers OpenID Connect");
        }
        int rounds = bed.rounds(20, 2);
        List<Signed> used = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            used = round(round, ada, fapi);
        }
        bed.expect(
                accepted == sent && twice == 0,
                "%d of %d assertions, pushed requests, codes and proofs accepted, %d of them twice",
                accepted,
                sent,
                twice);
        Signed unused = fapi.push();
        behind.advance(LATER, first);
        ahead.advance(LATER, connections.get(1));
        Thread.sleep(REMOVAL.toMillis());
        int again = 0;
        for (Signed each : used) {
            again += each.send(first).ok() ? 1 : 0;
        }
        bed.expect(again == 0, "%d of %d used ones accepted after %d s", again, used.size(), LATER.toSeconds());
        bed.expect(unused.send(first).ok(), "an unused one of that age is accepted");
    }

    /** Returns the signed requests that were used. */
    private List<Signed> round(int round, Person ada, FapiClient fapi) {
        Connection one = connections.get(round % 2);
        String session = ada.at(one).tryLogin().cookie();
        String assertion = ada.respond(ada.at(one).options());
        sendToBoth(round, connection -> ada.at(connection).finishLogin(assertion).ok());
        Signed push = fapi.push();
        String[] requestUri = {""};
        sendToBoth(round, connection -> {
            TestResponse response = push.send(connection);
            requestUri[0] = response.ok() ? response.field("request_uri") : requestUri[0];
            return response.ok();
        });
        String[] code = {""};
        sendToBoth(round, connection -> {
            String found = fapi.code(connection, session, requestUri[0]);
            code[0] = found.isEmpty() ? code[0] : found;
            return !found.isEmpty();
        });
        Signed redemption = fapi.redemption(code[0]);
        sendToBoth(round, connection -> redemption.send(connection).ok());
        return List.of(push, redemption);
    }

    /** Sends the same to both instances, to each of them first in turn. */
    private void sendToBoth(int round, Predicate<Connection> request) {
        int successes = 0;
        for (int i = 0; i < 2; i++) {
            successes += request.test(connections.get((round + i) % 2)) ? 1 : 0;
        }
        sent++;
        accepted += successes > 0 ? 1 : 0;
        twice += successes > 1 ? 1 : 0;
    }
}
