// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.ReverseProxy;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.time.Duration;
import java.util.List;

/** R15: rolling restarts while users sign in through a proxy. */
public final class RestartsBehindProxy {
    private static final int LOGINS_PER_SECOND = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    public void run(TestBed bed) throws Exception {
        int restarts = bed.rounds(10, 2);
        int rate = bed.rounds(LOGINS_PER_SECOND, 25);
        int workers = bed.rounds(16, 8); // fewer in short mode, to leave room on a busy machine
        Fleet fleet = bed.services().fleet(Store.POSTGRESQL);
        List<Instance> instances = fleet.instances();
        Instance first = fleet.first();
        ReverseProxy proxy = bed.stopAtEnd(ReverseProxy.haproxy(
                bed.directory(), instances.stream().map(Instance::port).toList(), ""));
        People people = People.register(first.address(), "proxied-", workers);
        Person person = People.register(first.address(), "restart-", 1).get(0);
        int exits = 0;
        int finished = 0;
        int seen = 0;
        Loop load = bed.stopAtEnd(Loop.open(rate, workers, people.logins(proxy.address(), workers, TIMEOUT)));
        for (int i = 0; i < restarts; i++) {
            Instance ending = instances.get(i % 2);
            Instance staying = instances.get((i + 1) % 2);
            TestResponse options = ending.get("/auth/passkey/login/options?userId=" + person.userId());
            ending.terminate();
            exits += List.of(0, 143).contains(ending.awaitExit(bed.limit(Duration.ofSeconds(20)))) ? 1 : 0;
            try (Connection connection = staying.connect()) {
                finished += person.at(connection)
                                .finishLogin(person.respond(options))
                                .ok()
                        ? 1
                        : 0;
            }
            Instance restarted = fleet.restart(i % 2);
            Event seenByProxy = () -> restarted.metric("passkey_ceremonies_total") > 0;
            seen += seenByProxy.await(bed.limit(TIMEOUT)) ? 1 : 0;
        }
        Outcome outcome = load.stop();
        bed.note("%d restarts", restarts);
        bed.expect(outcome.allOk(), "%s %s", outcome, outcome.failures());
        bed.expect(exits == restarts, "%d orderly exits", exits);
        bed.expect(seen == restarts, "%d restarted instances got logins from the proxy", seen);
        bed.expect(finished == restarts, "%d logins started before a restart finished after it", finished);
    }
}
