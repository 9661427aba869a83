// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Person;
import dev.porchlight.rig.proxy.Haproxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R15: instances are restarted one after another while people sign in through a proxy. */
public final class RestartsBehindProxy implements Row {
    private static final int LOGINS_PER_SECOND = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Override
    public About about() {
        return new About(
                "R15",
                "SIGTERM to one of two instances behind HAProxy, 10 times in turn, with " + LOGINS_PER_SECOND
                        + " logins a second",
                "no request fails; logins begun at an instance that then ends are finished at the other",
                Promise.P6);
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        int restarts = ground.rounds(10, 2);
        int rate = ground.rounds(LOGINS_PER_SECOND, 50);
        int workers =
                ground.rounds(16, 8); // fewer in short, so that a busy machine is not asked for more than it can do
        List<Launch> launches = ground.services(2, ground.postgres().jdbcUrl());
        List<Instance> instances = new ArrayList<>();
        for (Launch launch : launches) {
            instances.add(ground.start(launch.with("SHUTDOWN_DELAY_MS", "1500")));
        }
        Instance first = instances.get(0);
        Haproxy proxy = ground.stopAtEnd(Haproxy.start(
                ground.directory(), launches.stream().map(Launch::port).toList()));
        People people = People.register(first.address(), first.address(), "user-", workers);
        Person astride =
                People.register(first.address(), first.address(), "astride-", 1).get(0);
        int exits = 0;
        int finished = 0;
        int seen = 0;
        OpenLoop load = ground.stopAtEnd(new OpenLoop(rate, workers, people.logins(proxy.address(), workers, TIMEOUT)));
        for (int i = 0; i < restarts; i++) {
            Instance ending = instances.get(i % 2);
            Instance staying = instances.get((i + 1) % 2);
            Answer options = ending.get("/auth/passkey/login/options?userId=" + astride.userId());
            ending.terminate();
            exits += List.of(0, 143).contains(ending.awaitExit(Duration.ofSeconds(20))) ? 1 : 0;
            try (Connection connection = staying.connect(TIMEOUT)) {
                finished += astride.finish(connection, astride.respond(options)).ok() ? 1 : 0;
            }
            Instance restarted = ground.start(launches.get(i % 2));
            instances.set(i % 2, restarted);
            Event seenByProxy = () -> restarted.metric("passkey_ceremonies_total") > 0;
            seen += seenByProxy.await(TIMEOUT) ? 1 : 0;
        }
        Outcome outcome = load.stop();
        findings.note("%d restarts", restarts);
        findings.expect(outcome.ok() == outcome.count(), "%s %s", outcome, outcome.failures());
        findings.expect(exits == restarts, "%d orderly exits", exits);
        findings.expect(seen == restarts, "%d restarted instances got logins from the proxy", seen);
        findings.expect(finished == restarts, "%d logins begun before a restart finished after it", finished);
    }
}
