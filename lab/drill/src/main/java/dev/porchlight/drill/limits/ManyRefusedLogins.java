// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.FakeTime;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Request;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** R38: an unbounded number of refused logins with new user ids. */
public final class ManyRefusedLogins {
    private static final int WORKERS = 8;
    private static final int MOST_TRIES = 20;
    private static final int ROWS_PER_MINUTE = 21;

    public void run(TestBed bed) throws Exception {
        int count = bed.rounds(100_000, 500);
        Launch launch = bed.service();
        long before;
        long began;
        try (Instance service = bed.start(launch);
                Connection connection = service.connect()) {
            Person person = Users.register(connection, service.address(), "person");
            person.tryLogin();
            before = rows(launch, "outcome = 'refused'");
            began = System.nanoTime();
            refuse(service, person, count);
            try (Connection fresh = service.connect()) { // the first connection may have been closed as idle
                bed.expect(person.at(fresh).tryLogin().ok(), "a login afterwards");
            }
        }
        long minutes = 2 + Duration.ofNanos(System.nanoTime() - began).toMinutes();
        long grown = rows(launch, "outcome = 'refused'") - before;
        bed.expect(
                grown <= minutes * ROWS_PER_MINUTE,
                "%,d refused logins, %,d rows in %d minutes",
                count,
                grown,
                minutes);
        long counted = EmbeddedDatabase.number(
                launch,
                "SELECT COALESCE(SUM(CASE WHEN further > 0 THEN further ELSE 1 END), 0) FROM porchlight_audit"
                        + " WHERE outcome = 'refused'");
        bed.expect(counted - before == count, "%,d refusals in the log", counted - before);
        bed.expect(rows(launch, "action = 'login' AND outcome = 'ok'") == 2, "both logins as separate rows");
        bed.call(launch, "audit", "verify");
        if (bed.rounds(1, 0) > 0) {
            retention(bed, launch);
        }
    }

    /** Restarts three days later by the service's clock, with a retention of one day. */
    private static void retention(TestBed bed, Launch launch) throws Exception {
        FakeTime.preload(launch).with("FAKETIME", "+3d").with("AUDIT_RETENTION_DAYS", "1");
        try (Instance later = bed.start(launch)) {
            Event removed = () -> rowsNow(launch) == 0;
            bed.expect(removed.await(Duration.ofSeconds(90)), "%d old rows left after retention", rowsNow(launch));
            bed.expect(bed.isReady(later), "ready");
        }
        bed.call(launch, "audit", "verify");
        bed.note("the log verifies against its checkpoint");
    }

    private static long rowsNow(Launch launch) throws IOException {
        try {
            return rows(launch, "outcome = 'refused'");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    /** Tries to sign in as unknown users with another user's passkey. */
    private static void refuse(Instance service, Person person, int count) throws IOException, InterruptedException {
        Parallel.map(Parallel.workers(WORKERS), first -> {
            try (Connection connection = service.connect()) {
                for (int i = first; i < count; i += WORKERS) {
                    String user = "?userId=stranger-" + i;
                    Request login = () -> login(connection, person, user);
                    login.send(MOST_TRIES);
                }
            }
            return first;
        });
    }

    private static TestResponse login(Connection connection, Person person, String user) throws IOException {
        TestResponse options = connection.get("/auth/passkey/login/options" + user);
        return options.ok() ? connection.post("/auth/passkey/login/finish" + user, person.respond(options)) : options;
    }

    private static long rows(Launch launch, String where) throws SQLException {
        return EmbeddedDatabase.number(launch, "SELECT COUNT(*) FROM porchlight_audit WHERE " + where);
    }
}
