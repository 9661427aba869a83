// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Person;
import dev.porchlight.rig.load.Registrations;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * People log in at a rate and register beside it, while something that the service depends on goes away and comes back. Tells
 * what they got before, meanwhile and afterwards.
 */
final class Outage {
    /** What the service may wait for something it depends on. */
    static final long DEADLINE_MILLIS = 2_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration BEFORE = Duration.ofSeconds(2);
    private static final Duration AFTER = Duration.ofSeconds(12);
    private static final int WORKERS = 64;
    /** How many requests must succeed or be refused before the next step, in short. */
    private static final int ENOUGH = 20;
    /** For those who register and probe, and for what the service does beside its requests. */
    private static final int SPARE_THREADS = 16;

    private final TestBed bed;
    private final Instance service;
    private final Findings findings;
    private final People people;
    private final Registrations registrations;
    private final Person witness;

    /** Breaks or repairs something. */
    interface Action {
        void run() throws IOException, InterruptedException;
    }

    Outage(TestBed bed, Instance service, Findings findings) throws IOException, InterruptedException {
        this.bed = bed;
        this.service = service;
        this.findings = findings;
        people = People.register(service.address(), "someone-", WORKERS);
        registrations = new Registrations(service.address(), "new-");
        try (Connection connection = service.connect(TIMEOUT)) {
            witness = Person.register(connection, service.address(), "witness");
        }
    }

    /** Goes through it once, and writes down what happened under this name. */
    void happens(String name, double perSecond, Duration length, Action breaks, Action mends)
            throws IOException, InterruptedException {
        URI address = service.address();
        long threads = service.threads();
        try (OpenLoop logins = new OpenLoop(perSecond, WORKERS, people.loginRequests(address, WORKERS, TIMEOUT));
                Loop registering = new ClosedLoop(2, registrations.tasks(address, TIMEOUT))) {
            bed.pass(BEFORE, logins.successes(ENOUGH).and(registering.successes(1)));
            long broken = logins.now();
            breaks.run();
            bed.pass(
                    length.dividedBy(2),
                    logins.refusals(ENOUGH).and(registering.refusals(1)).and(() -> !service.ready()));
            probe(name, threads);
            bed.pass(length.dividedBy(2), logins.refusals(ENOUGH));
            mends.run();
            long mended = logins.now();
            bed.pass(AFTER, logins.successes(ENOUGH).and(registering.successes(1)));
            judge(logins.stop().served(), broken, mended);
            Outcome registered = registering.stop();
            findings.expect(clean(registered), "registrations %s", registered.statuses());
        }
        try (Connection connection = service.connect(TIMEOUT)) {
            int missing = registrations.missing(connection);
            findings.expect(
                    missing == 0,
                    "%,d registered beside it, %d missing",
                    registrations.acknowledged().size(),
                    missing);
        }
    }

    private void probe(String name, long threadsBefore) throws IOException {
        long begin = System.nanoTime();
        int live = service.get("/health/live").status();
        double millis = (System.nanoTime() - begin) / 1e6;
        int ready = service.get("/health/ready").status();
        Response refused;
        try (Connection connection = service.connect(TIMEOUT)) {
            refused = witness.login(connection);
        }
        long more = service.threads() - threadsBefore;
        findings.expect(
                live == 200 && ready == 503, "%s: meanwhile live %d in %.0f ms, ready %d", name, live, millis, ready);
        findings.expect(
                refused.status() == 503 && refused.header("Retry-After") != null,
                "a login gets %d with Retry-After %s",
                refused.status(),
                String.valueOf(refused.header("Retry-After")));
        findings.expect(more <= WORKERS + SPARE_THREADS, "%d more threads than before anybody came", more);
    }

    /** Whether all was answered, and what failed with 503. */
    static boolean clean(Outcome outcome) {
        return outcome.samples().stream().allMatch(it -> it.status() != 0 && (it.status() < 500 || it.status() == 503));
    }

    private void judge(Outcome outcome, long broken, long mended) {
        Outcome down = outcome.between(broken, mended);
        Outcome clean = outcome.only(it -> it.ok() || it.status() == 503);
        findings.expect(clean.count() == outcome.count(), "all requests %s", outcome.statuses());
        if (clean.count() != outcome.count()) {
            findings.note("no answer because of %s", outcome.failures());
        }
        findings.expect(
                down.slowestMillis() <= bed.limit(DEADLINE_MILLIS + 500),
                "while down p99 %.0f ms, slowest %.0f ms",
                down.millis(0.99),
                down.slowestMillis());
        double healed = outcome.millisToSuccessAfter(mended);
        findings.expect(healed <= 10_000, "healed %.1f s after it was back", healed / 1e3);
        findings.expect(service.process().isAlive(), "no restart");
    }
}
