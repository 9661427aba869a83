// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Person;
import dev.porchlight.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** R4: one assertion, sent 64 times at once. */
public final class OneAssertionManyTimes implements Row {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int COPIES = 64;

    @Override
    public About about() {
        return new About(
                "R4",
                "one assertion sent 64 times at once, to two instances on PostgreSQL, to two on PostgreSQL and Redis, to"
                        + " one on SQLite, 500 rounds each",
                "exactly one succeeds each round, the others are refused with 401",
                Promise.P2);
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        int rounds = ground.rounds(500, 10);
        String postgres = ground.postgres().jdbcUrl();
        race("PostgreSQL", ground, ground.services(2, postgres), rounds, findings);
        RedisServer redis = ground.stopAtEnd(RedisServer.start());
        List<Launch> onRedis = ground.services(2, postgres);
        onRedis.forEach(launch -> launch.with("REDIS_URL", redis.url()));
        race("Redis", ground, onRedis, rounds, findings);
        race("SQLite", ground, List.of(ground.service()), rounds, findings);
    }

    private static void race(String store, Ground ground, List<Launch> launches, int rounds, Findings findings)
            throws Exception {
        List<Instance> instances = new ArrayList<>();
        for (Launch launch : launches) {
            instances.add(ground.start(launch));
        }
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < COPIES; i++) {
            connections.add(ground.stopAtEnd(instances.get(i % instances.size()).connect(TIMEOUT)));
        }
        Person ada = Person.register(connections.get(0), instances.get(0).address(), "ada-" + store);
        ExecutorService threads = Executors.newFixedThreadPool(COPIES);
        int[] successes = new int[COPIES + 1];
        int refused = 0;
        try {
            for (int round = 0; round < rounds; round++) {
                String response = ada.respond(ada.options(connections.get(round % COPIES)));
                List<Integer> statuses = sendAll(threads, connections, ada, response);
                successes[
                        (int) statuses.stream().filter(status -> status == 200).count()]++;
                refused +=
                        (int) statuses.stream().filter(status -> status == 401).count();
            }
        } finally {
            threads.shutdownNow();
        }
        for (Instance instance : instances) {
            instance.close();
        }
        findings.expect(successes[1] == rounds, "%s: one success in %d of %d rounds", store, successes[1], rounds);
        findings.expect(refused == rounds * (COPIES - 1), "%,d of %,d others refused", refused, rounds * (COPIES - 1));
    }

    private static List<Integer> sendAll(
            ExecutorService threads, List<Connection> connections, Person person, String response) throws Exception {
        CountDownLatch together = new CountDownLatch(COPIES);
        List<Callable<Integer>> copies = new ArrayList<>();
        for (Connection connection : connections) {
            copies.add(() -> {
                together.countDown();
                together.await();
                return person.finish(connection, response).status();
            });
        }
        List<Integer> statuses = new ArrayList<>();
        for (Future<Integer> copy : threads.invokeAll(copies)) {
            statuses.add(copy.get());
        }
        return statuses;
    }
}
