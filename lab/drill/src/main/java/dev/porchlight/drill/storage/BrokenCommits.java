// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.drill.storage.CommitProxy.Fault;
import dev.porchlight.drill.storage.CommitProxy.Point;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.People;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R51: the connection of a commit is closed or hangs, at each point between the statement with the logins and the response. */
public final class BrokenCommits {
    private static final int USERS = 4;
    /** How long PostgreSQL keeps the locks of a transaction whose client is silent, with a margin. */
    private static final Duration LOCKED = Duration.ofSeconds(13);
    /** Logins in the audit log and sessions, in one snapshot. */
    private static final String STORED =
            "select (select count(*) from porchlight_audit where action = 'login' and outcome = 'ok') || ' '"
                    + " || (select count(*) from porchlight_sealed_entry where kind = 'session')";

    /** A login, with the duration of its second request. */
    private record Attempt(TestResponse response, double millis) {}

    /** Numbers of stored rows. */
    private record Stored(int logins, int sessions) {}

    public void run(TestBed bed) throws Exception {
        PostgresServer postgres = bed.postgres();
        CommitProxy proxy = bed.stopAtEnd(new CommitProxy(postgres.port()));
        Launch launch =
                bed.serviceWithDeadline().with("DATABASE_URL", CommitProxy.plain(postgres.jdbcUrl(proxy.port())));
        Instance service = bed.start(launch);
        People people = People.register(service.address(), "unit-", USERS + 1);
        Units units = new Units(bed, postgres, proxy, service, people);
        for (boolean hangs : new boolean[] {false, true}) {
            for (Point point : Point.values()) {
                units.broken(point, hangs, hangs ? bed.rounds(3, 1) : bed.rounds(20, 1));
            }
        }
        units.judge();
        bed.call(launch, "audit", "verify");
        bed.note("the audit log verifies");
    }

    private static final class Units {
        private final TestBed bed;
        private final PostgresServer postgres;
        private final CommitProxy proxy;
        private final Instance service;
        private final People people;
        private final List<String> sessions = new ArrayList<>();
        private int rounds;
        private int atOnce;
        private int reset;
        private int doubled;

        private Units(TestBed bed, PostgresServer postgres, CommitProxy proxy, Instance service, People people) {
            this.bed = bed;
            this.postgres = postgres;
            this.proxy = proxy;
            this.service = service;
            this.people = people;
        }

        /** Breaks the connection while users sign in together; then another user signs in, then the same ones. */
        void broken(Point point, boolean hangs, int count) throws IOException, InterruptedException {
            int acknowledged = 0;
            int refused = 0;
            int kept = 0;
            double slowest = 0;
            for (int round = 0; round < count; round++) {
                Stored before = stored();
                proxy.arm(new Fault(point, hangs, (round + 1.0) / (count + 1)));
                List<Attempt> attempts = Parallel.map(Parallel.workers(USERS), this::login);
                Stored after = stored();
                int ok = 0;
                for (Attempt attempt : attempts) {
                    slowest = Math.max(slowest, attempt.millis());
                    ok += keep(attempt) ? 1 : 0;
                    refused += attempt.response().status() == 503 ? 1 : 0;
                }
                acknowledged += ok;
                int more = after.logins() - before.logins() - ok;
                kept += more;
                int possible = mayBeStored(point, hangs) ? USERS - ok : 0;
                doubled += more < 0 || more > possible || after.sessions() - before.sessions() != ok + more ? 1 : 0;
                next(hangs);
            }
            rounds += count;
            bed.expect(
                    acknowledged + refused == count * USERS && slowest <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                    "%s %s, %d times: %d logins succeed, %d get 503, %d of them are stored; slowest %.0f ms",
                    hangs ? "hanging" : "closed",
                    point,
                    count,
                    acknowledged,
                    refused,
                    kept,
                    slowest);
        }

        /** Whether a login that got 503 may be stored: the server may have the commit, or another unit waited behind this one. */
        private static boolean mayBeStored(Point point, boolean hangs) {
            return hangs || point == Point.PART || point == Point.RESPONSE;
        }

        /** The next unit of another user, and of the same users, who may wait for the locks of a connection that hangs. */
        private void next(boolean hangs) throws IOException, InterruptedException {
            Event other = () -> keep(login(USERS));
            atOnce += other.await(bed.limit(Duration.ZERO)) ? 1 : 0;
            if (hangs && bed.rounds(1, 0) == 0) {
                proxy.release();
            }
            long begin = System.nanoTime();
            for (int user : Parallel.workers(USERS)) {
                Event again = () -> keep(login(user));
                Duration left = LOCKED.minusNanos(System.nanoTime() - begin);
                if (!again.await(bed.limit(hangs ? left : Duration.ZERO))) {
                    reset++;
                    proxy.release();
                    bed.expect(again.await(Patience.LIMIT), "a user signs in after a reset");
                }
            }
            proxy.release();
        }

        void judge() throws IOException {
            bed.expect(proxy.fired() == rounds, "%d connections broken", proxy.fired());
            bed.expect(atOnce == rounds, "another user signs in immediately afterwards %d times", atOnce);
            bed.expect(doubled == 0, "in %d rounds a login is lost, doubled or stored in part", doubled);
            int valid = 0;
            try (Connection connection = service.connect()) {
                for (String session : sessions) {
                    valid += new Web(connection)
                                    .cookie(session)
                                    .get(Person.SESSION)
                                    .ok()
                            ? 1
                            : 0;
                }
            }
            bed.expect(valid == sessions.size(), "%d of %d acknowledged sessions are valid", valid, sessions.size());
            bed.note("%d locks lasted until the network closed the connection", reset);
        }

        private boolean keep(Attempt attempt) {
            if (attempt.response().ok()) {
                sessions.add(attempt.response().cookie());
            }
            return attempt.response().ok();
        }

        private Attempt login(int user) throws IOException {
            try (Connection connection = service.connect()) {
                Person person = people.get(user).at(connection);
                TestResponse options = person.options();
                String assertion = options.ok() ? person.respond(options) : "";
                long begin = System.nanoTime();
                TestResponse response = options.ok() ? person.finishLogin(assertion) : options;
                return new Attempt(response, (System.nanoTime() - begin) / 1e6);
            }
        }

        private Stored stored() throws IOException {
            String[] counts = postgres.sql(STORED).split(" ");
            return new Stored(Integer.parseInt(counts[0]), Integer.parseInt(counts[1]));
        }
    }
}
