// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.growth;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** R25: checks that expired data disappears from the database and from memory under load. */
public final class Soak {
    private static final int USERS = 40;
    private static final int WORKERS = 8;
    private static final double LOGINS_PER_SECOND = 50;
    private static final double STRANGERS_PER_SECOND = 50;
    private static final double MOST_GROWTH = 1.15;
    private static final AtomicInteger STRANGERS = new AtomicInteger();

    /** Used challenges are kept for ten minutes after they expire, then removed within two. */
    private static final Duration USED_CHALLENGES_STAY = Duration.ofMinutes(12);

    /**
     * A snapshot of the service.
     *
     * @param overdue used challenges that should have been removed
     */
    private record Moment(long sessions, long overdue, long residentKb) {}

    public void run(TestBed bed) throws Exception {
        Launch launch = bed.service()
                .jvm("-Xmx128m")
                .with("CHALLENGE_TTL_MS", "1000")
                .with("SESSION_TTL_SECONDS", "1")
                .with("TRUSTED_PROXIES", "127.0.0.1")
                .with("RATE_LIMIT_PER_MINUTE", "100000");
        Instance service = bed.start(launch);
        People people = People.register(service.address(), "user-", USERS);
        List<Moment> moments = new ArrayList<>();
        Outcome logins;
        try (Loop strangers = Loop.open(
                        STRANGERS_PER_SECOND, WORKERS, worker -> Task.over(service.connect(), Soak::stranger));
                Loop load = Loop.open(
                        LOGINS_PER_SECOND, WORKERS, people.logins(service.address(), WORKERS, Patience.LIMIT))) {
            int samples = bed.rounds(90, 12);
            for (int i = 0; i < samples; i++) {
                Thread.sleep(10_000);
                moments.add(new Moment(sessions(launch), overdue(launch), service.residentKb()));
            }
            strangers.stop();
            logins = load.stop();
        }
        judge(moments, logins, bed);
    }

    private static void judge(List<Moment> moments, Outcome logins, TestBed bed) {
        int third = moments.size() / 3;
        List<Moment> middle = moments.subList(third, 2 * third);
        List<Moment> last = moments.subList(2 * third, moments.size());
        long sessionsThen = middle.stream().mapToLong(Moment::sessions).max().orElseThrow();
        long sessionsNow = last.stream().mapToLong(Moment::sessions).max().orElseThrow();
        double memoryThen =
                middle.stream().mapToLong(Moment::residentKb).average().orElseThrow();
        double memoryNow = last.stream().mapToLong(Moment::residentKb).average().orElseThrow();
        bed.expect(logins.allOk(), "%,d logins, of which %,d succeeded", logins.count(), logins.ok());
        bed.expect(
                sessionsNow <= sessionsThen * MOST_GROWTH,
                "at most %,d sessions stored in the middle third, %,d in the last",
                sessionsThen,
                sessionsNow);
        long overdue = moments.stream().mapToLong(Moment::overdue).max().orElseThrow();
        bed.expect(overdue == 0, "at most %,d used challenges kept for too long", overdue);
        bed.expect(
                memoryNow <= memoryThen * MOST_GROWTH,
                "%.0f MB in RAM in the middle third, %.0f MB in the last",
                memoryThen / 1_000,
                memoryNow / 1_000);
    }

    private static long sessions(Launch launch) throws SQLException {
        return EmbeddedDatabase.number(launch, "SELECT COUNT(*) FROM porchlight_sealed_entry");
    }

    private static long overdue(Launch launch) throws SQLException {
        long since = System.currentTimeMillis() - USED_CHALLENGES_STAY.toMillis();
        return EmbeddedDatabase.number(
                launch, "SELECT COUNT(*) FROM passkey_used_challenge WHERE expires_at < " + since);
    }

    /** Requests options under an unknown name from a new address and abandons them. */
    private static int stranger(Connection connection) throws IOException {
        int n = STRANGERS.incrementAndGet();
        String address = "10." + (n >> 16 & 255) + "." + (n >> 8 & 255) + "." + (n & 255);
        return connection
                .get("/auth/passkey/login/options?userId=stranger-" + n, "X-Forwarded-For", address)
                .status();
    }
}
