// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * Logins and registrations at a fixed rate while a dependency of the service goes away and comes back. Reports
 * the responses before, during and after the outage.
 */
final class Outage {
    /** The service's time limit for a dependency. */
    static final long DEADLINE_MILLIS = 2_000;

    private static final Duration BEFORE = Duration.ofSeconds(2);
    private static final Duration AFTER = Duration.ofSeconds(12);
    /** In short mode, this many successes or refusals end a phase. */
    private static final int ENOUGH = 20;
    /** Threads for registrations, probes and the service's background work. */
    private static final int SPARE_THREADS = 16;

    private final int workers;
    private final TestBed bed;
    private final Instance service;
    private final People people;
    private final RegistrationLoad registrations;
    private final Person witness;

    /** Breaks or repairs a dependency. */
    interface Action {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Registers users.
     *
     * @param prefix of the user ids
     */
    Outage(String prefix, TestBed bed, Instance service) throws IOException, InterruptedException {
        this.bed = bed;
        this.service = service;
        workers = bed.rounds(64, 24);
        people = People.register(service.address(), prefix + "-user-", workers);
        registrations = new RegistrationLoad(service.address(), prefix + "-new-");
        try (Connection connection = service.connect()) {
            witness = Users.register(connection, service.address(), prefix + "-witness");
        }
    }

    /** Runs one outage and records the results under this name. */
    void run(String name, double perSecond, Duration length, Action fault, Action repair)
            throws IOException, InterruptedException {
        URI address = service.address();
        long threads = service.threads();
        try (Loop logins = Loop.open(perSecond, workers, people.loginRequests(address, workers, Patience.LIMIT));
                Loop registering = bed.withoutPause(2, 10, registrations.tasks(address, Patience.LIMIT))) {
            bed.pass(BEFORE, logins.successes(ENOUGH).and(registering.successes(1)));
            long broken = logins.now();
            fault.run();
            bed.pass(
                    length.dividedBy(2),
                    logins.refusals(ENOUGH).and(registering.refusals(1)).and(() -> !service.ready()));
            probe(name, threads);
            bed.pass(length.dividedBy(2), logins.refusals(ENOUGH));
            repair.run();
            long repaired = logins.now();
            bed.pass(AFTER, logins.successes(ENOUGH).and(registering.successes(1)));
            judge(logins.stop().served(), broken, repaired);
            Outcome registered = registering.stop();
            bed.expect(clean(registered), "registrations %s", registered.statuses());
        }
        expectNothingLost(service, registrations, bed);
    }

    /** Checks that every user with an acknowledged passkey can log in. */
    static void expectNothingLost(Instance service, RegistrationLoad registrations, TestBed bed) throws IOException {
        try (Connection connection = service.connect()) {
            int missing = registrations.missing(connection);
            bed.expect(
                    missing == 0,
                    "%d of %,d acknowledged passkeys missing",
                    missing,
                    registrations.acknowledged().size());
        }
    }

    private void probe(String name, long threadsBefore) throws IOException {
        long begin = System.nanoTime();
        int live = service.get("/health/live").status();
        double millis = (System.nanoTime() - begin) / 1e6;
        int ready = service.get("/health/ready").status();
        TestResponse refused;
        try (Connection connection = service.connect()) {
            refused = witness.at(connection).tryLogin();
        }
        long more = service.threads() - threadsBefore;
        bed.expect(
                live == 200 && ready == 503,
                "%s: live %d in %.0f ms, ready %d during the outage",
                name,
                live,
                millis,
                ready);
        bed.expect(
                refused.status() == 503 && refused.header("Retry-After") != null,
                "a login gets %d with Retry-After %s",
                refused.status(),
                String.valueOf(refused.header("Retry-After")));
        bed.expect(more <= workers + SPARE_THREADS, "%d more threads than before the load", more);
    }

    /** Whether every request got a response, and every failure was 503. */
    static boolean clean(Outcome outcome) {
        return outcome.samples().stream().allMatch(it -> it.status() != 0 && (it.status() < 500 || it.status() == 503));
    }

    private void judge(Outcome outcome, long broken, long repaired) {
        Outcome down = outcome.between(broken, repaired);
        Outcome clean = outcome.only(it -> it.ok() || it.status() == 503);
        bed.expect(clean.count() == outcome.count(), "all requests %s", outcome.statuses());
        if (clean.count() != outcome.count()) {
            bed.note("missing responses: %s", outcome.failures());
        }
        bed.expect(
                down.slowestMillis() <= bed.limit(DEADLINE_MILLIS + 500),
                "while down p99 %.0f ms, slowest %.0f ms",
                down.millis(0.99),
                down.slowestMillis());
        double healed = outcome.millisToSuccessAfter(repaired);
        bed.expect(healed <= bed.limit(10_000), "recovered %.1f s after the repair", healed / 1e3);
        bed.expect(service.process().isAlive(), "no restart");
    }
}
