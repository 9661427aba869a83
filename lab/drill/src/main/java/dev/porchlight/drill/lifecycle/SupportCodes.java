// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.base.SupportCode;
import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.PostgresServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** R50: support codes of attempts that failed, looked up at the other instance and after both instances were killed. */
public final class SupportCodes {
    /** The limit of a kind, and what another instance may be storing at that moment. */
    private static final int MAX_OF_KIND = 1_000 + 64;

    private static final String FLOODING = "203.0.113.7";
    private static final String REPORT = "/auth/passkey/report";
    private static final Duration STORED = Duration.ofSeconds(10);
    private static final Duration CHALLENGE = Duration.ofMinutes(6);
    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    /** An attempt that failed at one of the instances. */
    private record Failed(String traceId, String cause, int instance) {}

    private final List<Failed> all = new ArrayList<>();
    private int addresses;

    public void run(TestBed bed) throws Exception {
        FakeClock clock = new FakeClock(bed);
        PostgresServer postgres = bed.postgres();
        List<Launch> launches = bed.services(2, postgres.jdbcUrl());
        for (Launch launch : launches) {
            clock.on(launch).with("TRUSTED_PROXIES", "127.0.0.1");
        }
        long begin = System.nanoTime();
        List<Instance> instances = bed.start(launches);
        List<Connection> connections = connect(bed, instances);
        try (Loop flood = bed.withoutPause(2, 50, worker -> flood(instances.get(worker)))) {
            fail(bed.rounds(100, 3), clock, instances, connections);
            bed.pass(Duration.ofSeconds(20), flood.successes(1));
            flood.stop();
        }
        List<Failed> missing = new ArrayList<>(all);
        Event found = () -> {
            missing.removeIf(failed -> isFound(connections, failed, 1));
            return missing.isEmpty();
        };
        bed.expect(
                found.await(bed.limit(STORED)),
                "%d of %d attempts found at the other instance",
                all.size() - missing.size(),
                all.size());
        for (String kind : List.of("refused", "abandoned")) {
            int count = Integer.parseInt(
                    postgres.sql("select count(*) from porchlight_failed_ceremony where kind = '" + kind + "'"));
            bed.expect(count <= MAX_OF_KIND, "%,d %s attempts stored", count, kind);
        }
        for (Instance instance : instances) {
            instance.kill();
        }
        List<Connection> again = connect(bed, bed.start(launches));
        for (int other : List.of(0, 1)) {
            bed.expect(
                    found(again, other) == all.size(),
                    "all found after kill -9 and a restart, at %s instance",
                    other == 0 ? "the same" : "the other");
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
        setAll(clock, DAY.minus(MARGIN).minus(elapsed), again);
        bed.expect(found(again, 1) == all.size(), "all found after almost 24 hours");
        setAll(clock, DAY.plus(CHALLENGE).plus(MARGIN), again);
        bed.expect(found(again, 1) == 0, "none found later");
    }

    private static List<Connection> connect(TestBed bed, List<Instance> instances) {
        return instances.stream()
                .map(instance -> bed.stopAtEnd(instance.connect()))
                .toList();
    }

    private static void setAll(FakeClock clock, Duration ahead, List<Connection> connections)
            throws IOException, InterruptedException {
        for (Connection connection : connections) {
            clock.set(ahead, connection);
        }
    }

    /** Attempts of each kind, each from its own address, at both instances in turn. */
    private void fail(int each, FakeClock clock, List<Instance> instances, List<Connection> connections)
            throws IOException, InterruptedException {
        Person ada = Users.register(connections.get(0), instances.get(0).address(), "ada");
        List<Runnable> late = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            int at = i % connections.size();
            Connection connection = connections.get(at);
            Person refused = attempt(ada, connection, "bad_signature", at);
            JsonObject tampered = JsonObject.parse(refused.assertion());
            tampered.object("response").put("signature", "AAAA");
            refused.finishLogin(tampered.toString()).expect(401);
            for (String outcome : List.of("blocked", "dismissed")) {
                Person ended = attempt(ada, connection, outcome, at);
                JsonObject report = new JsonObject()
                        .put("ceremony", "login")
                        .put("outcome", outcome)
                        .put("challenge", ended.options().field("challenge"))
                        .put("userId", ended.userId());
                ended.web().post(REPORT, report.toString()).expect(204);
            }
            Person expired = attempt(ada, connection, "challenge_expired", at);
            String response = expired.assertion();
            late.add(() -> expired.finishLogin(response).expect(401));
        }
        setAll(clock, CHALLENGE, connections);
        late.forEach(Runnable::run);
    }

    private Person attempt(Person person, Connection connection, String cause, int instance) {
        Failed failed = new Failed(UUID.randomUUID().toString().replace("-", ""), cause, instance);
        all.add(failed);
        addresses++;
        String address = "10.1." + addresses / 250 + "." + (addresses % 250 + 1);
        return person.at(traced(new Web(connection), failed.traceId(), address));
    }

    private static Web traced(Web web, String traceId, String address) {
        return web.with("X-Forwarded-For", address, "traceparent", "00-" + traceId + "-0123456789abcdef-01");
    }

    /** One address causes failures of both kinds. */
    private static Task flood(Instance instance) {
        return Task.over(instance.connect(), connection -> {
            Web web = new Web(connection).with("X-Forwarded-For", FLOODING);
            web.post(Person.LOGIN_FINISH, "{}").expect(401);
            return web.post(REPORT, "{\"ceremony\":\"login\",\"outcome\":\"blocked\"}")
                    .status();
        });
    }

    private int found(List<Connection> connections, int other) {
        return (int) all.stream()
                .filter(failed -> isFound(connections, failed, other))
                .count();
    }

    /** Whether an attempt is found with its cause, at the other instance or, with 0, at the same. */
    private static boolean isFound(List<Connection> connections, Failed failed, int other) {
        Web web = new Web(connections.get((failed.instance() + other) % connections.size()));
        TestResponse response = web.get("/admin/ceremonies/" + SupportCode.of(failed.traceId()));
        return response.ok()
                && response.json().objects("ceremonies").stream()
                        .anyMatch(one -> one.string("traceId").equals(failed.traceId())
                                && one.object("cause").string("code").equals(failed.cause()));
    }
}
