// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Services.Backends;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.PgBouncerServer;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** R8 to R12, R14: PostgreSQL dies, hangs, is unreachable, slow or overloaded, and comes back. */
public final class PostgresOutages {
    private static final int WORKERS = 32;
    /** In short mode, this many requests end a phase. */
    private static final int ENOUGH = 20;

    private PostgresOutages() {}

    /** R8: PostgreSQL dies under load. */
    public static void killed(TestBed bed) throws Exception {
        Backends backends = bed.services().backends();
        PostgresServer postgres = backends.postgres();
        Instance service = backends.service();
        double before = connections(service);
        Outage outage = new Outage("killed", bed, service);
        Duration length = Duration.ofSeconds(10);
        outage.run("killed", bed.rounds(200, 50), length, postgres::kill, postgres::restart);
        if (bed.rounds(2, 1) == 2) {
            outage.run("stopped", 200, length, postgres::stopImmediately, postgres::restart);
        }
        Event settled = () -> connections(service) == before;
        boolean restored = settled.await(Patience.LIMIT); // the pool looks for missing ones every 30 seconds
        double after = restored ? before : connections(service);
        bed.expect(restored, "%.0f connections before, %.0f at the end", before, after);
        behindPgBouncer(bed);
    }

    /** PgBouncer ignores its clients' timeouts, so the server sets them. */
    private static void behindPgBouncer(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        for (String timeout : List.of(
                "statement_timeout = 1500", "lock_timeout = 1000", "idle_in_transaction_session_timeout = 10000")) {
            postgres.sql("alter role porchlight set " + timeout);
        }
        PgBouncerServer bouncer = bed.stopAtEnd(PgBouncerServer.start(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(bouncer.port())));
        new Outage("killed", bed, service)
                .run(
                        "killed behind PgBouncer",
                        bed.rounds(200, 50),
                        Duration.ofSeconds(10),
                        postgres::kill,
                        postgres::restart);
    }

    private static double connections(Instance service) throws IOException {
        return service.metric("db_pool_connections{state=\"idle\"}")
                + service.metric("db_pool_connections{state=\"active\"}");
    }

    /** R9: PostgreSQL keeps its connections open and does not respond. */
    public static void hung(TestBed bed) throws Exception {
        Backends backends = bed.services().backends();
        PostgresServer postgres = backends.postgres();
        new Outage("hung", bed, backends.service())
                .run("hung", 20, Duration.ofSeconds(60), postgres::pause, postgres::resume);
    }

    /** R10: packets to PostgreSQL are dropped silently. */
    public static void unreachable(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        FaultProxy proxy = bed.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        new Outage("unreachable", bed, service)
                .run(
                        "black hole",
                        20,
                        Duration.ofSeconds(60),
                        () -> proxy.set(Toxics.NONE.blackHole(true)),
                        () -> proxy.set(Toxics.NONE));
    }

    /** R11: PostgreSQL over a slow, unreliable network. */
    public static void slowAndFlaky(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        FaultProxy proxy = bed.stopAtEnd(new FaultProxy(postgres.port()));
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl(proxy.port())));
        URI address = service.address();
        People people = People.register(address, "someone-", 4);
        RegistrationLoad registrations = new RegistrationLoad(address, "new-");
        proxy.set(Toxics.NONE.latency(300, 100).bandwidth(64_000).resetEvery(20));
        int started = proxy.accepted();
        Outcome logins;
        Outcome registered;
        try (Loop loggingIn = Loop.closed(4, people.loginRequests(address, 4, Patience.LIMIT));
                Loop registering = Loop.closed(2, registrations.tasks(address, Patience.LIMIT))) {
            for (int i = 0; i < bed.rounds(3, 1); i++) {
                Thread.sleep(20_000);
                proxy.resetAll();
            }
            logins = loggingIn.stop();
            registered = registering.stop();
        }
        proxy.set(Toxics.NONE);
        long clean = logins.only(it -> it.ok() || it.status() == 503).count();
        bed.expect(clean == logins.count(), "login requests %s", logins);
        bed.expect(logins.ok() > 0, "%.1f %% succeeded", 100.0 * logins.ok() / logins.count());
        bed.expect(logins.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500), "none took longer");
        bed.expect(Outage.clean(registered), "registrations %s", registered.statuses());
        bed.note("%d connections to PostgreSQL", proxy.accepted() - started);
        Outage.expectNothingLost(service, registrations, bed);
        String twice = postgres.sql(
                "select count(*) from (select user_id from passkey_credential group by user_id having count(*) > 1) t");
        bed.expect(twice.equals("0"), "%s users with a passkey twice", twice);
    }

    /** R12: the primary dies and its standby is promoted. */
    public static void failover(TestBed bed) throws Exception {
        PostgresServer primary = bed.postgres();
        PostgresServer standby = bed.stopAtEnd(primary.standby());
        String url = primary.jdbcUrl(primary.port(), standby.port());
        Instance service = bed.start(bed.serviceWithDeadline().with("DATABASE_URL", url));
        URI address = service.address();
        People people = People.register(address, "someone-", WORKERS);
        RegistrationLoad registrations = new RegistrationLoad(address, "new-");
        Outcome outcome;
        long killed;
        long promoted;
        try (Loop logins = Loop.open(50, WORKERS, people.loginRequests(address, WORKERS, Patience.LIMIT));
                Loop registering = bed.withoutPause(4, 10, registrations.tasks(address, Patience.LIMIT))) {
            bed.pass(Duration.ofSeconds(3), logins.successes(ENOUGH).and(registering.successes(1)));
            killed = logins.now();
            primary.kill();
            bed.pass(Duration.ofSeconds(3), logins.refusals(ENOUGH));
            promoted = logins.now();
            standby.promote();
            bed.pass(Duration.ofSeconds(15), logins.successes(ENOUGH).and(registering.successes(1)));
            outcome = logins.stop().served();
            registering.stop();
        }
        Outcome after = outcome.only(it -> it.started() >= killed);
        long clean = outcome.only(it -> it.ok() || it.status() == 503).count();
        double gap = outcome.longestGapMillis();
        bed.expect(
                gap <= bed.limit(15_000),
                "%.1f s without a success, %.0f s of them until the promotion",
                gap / 1e3,
                (promoted - killed) / 1e9);
        bed.expect(clean == outcome.count(), "requests %s", outcome.statuses());
        bed.expect(
                after.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                "slowest after the kill %.0f ms",
                after.slowestMillis());
        Outage.expectNothingLost(service, registrations, bed);
        bed.expect(service.process().isAlive(), "no restart");
    }

    /** R14: more requests than connections, and statements that hang. */
    public static void poolExhausted(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        Instance service = bed.start(bed.serviceWithDeadline()
                .with("DATABASE_URL", postgres.jdbcUrl())
                .with("DATABASE_CONNECTIONS", "2"));
        URI address = service.address();
        People people = People.register(address, "someone-", WORKERS);
        int seconds = bed.rounds(10, 3);
        Outcome outcome;
        long freed;
        try (Loop logins = Loop.closed(WORKERS, people.loginRequests(address, WORKERS, Patience.LIMIT))) {
            bed.pass(Duration.ofSeconds(1), logins.successes(WORKERS));
            lockEverything(postgres, seconds);
            freed = logins.now();
            bed.pass(Duration.ofSeconds(3), logins.successes(WORKERS));
            outcome = logins.stop().served();
        }
        long locked = freed - Duration.ofSeconds(seconds).toNanos();
        Outcome whileLocked = outcome.only(it -> it.started() < freed && it.ended() > locked);
        long clean = outcome.only(it -> it.ok() || it.status() == 503).count();
        bed.expect(clean == outcome.count(), "requests %s", outcome.statuses());
        bed.expect(whileLocked.count(503) > 0, "while locked %s", whileLocked.statuses());
        bed.expect(
                whileLocked.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                "slowest %.0f ms",
                whileLocked.slowestMillis());
        double healed = outcome.millisToSuccessAfter(freed);
        bed.expect(healed <= bed.limit(10_000), "recovered after %.1f s", healed / 1e3);
    }

    private static void lockEverything(PostgresServer postgres, int seconds) throws IOException {
        postgres.sql(
                "do $$ declare t record; begin for t in select tablename from pg_tables where schemaname = 'public'"
                        + " loop execute format('lock table %I in access exclusive mode', t.tablename); end loop;"
                        + " perform pg_sleep(" + seconds + "); end $$");
    }
}
