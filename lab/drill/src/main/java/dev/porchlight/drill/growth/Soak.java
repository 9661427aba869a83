// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.growth;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** R25: whether what expires goes away, in the database and in memory, while the service works. */
public final class Soak implements Row {
    private static final int USERS = 40;
    private static final int WORKERS = 8;
    private static final double LOGINS_PER_SECOND = 50;
    private static final double STRANGERS_PER_SECOND = 50;
    private static final double MOST_GROWTH = 1.15;

    /** Used challenges are kept for ten minutes after they expire, and are then removed within two. */
    private static final Duration USED_CHALLENGES_STAY = Duration.ofMinutes(12);

    /**
     * What there was at a moment.
     *
     * @param overdue used challenges that should have been removed
     */
    private record Moment(long sessions, long overdue, long residentKb) {}

    @Override
    public About about() {
        return new About(
                "R25",
                "a quarter of an hour of 50 logins a second, and 50 strangers a second who ask from ever new addresses and"
                        + " never answer; challenges and sessions live a second",
                "every login passes; stored sessions and memory are the same in the last third as in the middle one; no used"
                        + " challenge is kept for longer than 12 minutes after it expired",
                Promise.P4);
    }

    @Override
    public boolean quick() {
        return false;
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        Launch launch = ground.service()
                .jvm("-Xmx128m")
                .with("CHALLENGE_TTL_MS", "1000")
                .with("SESSION_TTL_SECONDS", "1")
                .with("TRUSTED_PROXIES", "127.0.0.1")
                .with("RATE_LIMIT_PER_MINUTE", "100000");
        Instance service = ground.start(launch);
        People people = People.register(service.address(), service.address(), "user-", USERS);
        DatabaseUrl database = DatabaseUrl.sqliteIn(launch.data());
        List<Moment> moments = new ArrayList<>();
        Outcome logins;
        try (OpenLoop strangers = new OpenLoop(STRANGERS_PER_SECOND, WORKERS, worker -> new Stranger(service));
                OpenLoop load = new OpenLoop(
                        LOGINS_PER_SECOND,
                        WORKERS,
                        people.logins(service.address(), WORKERS, Duration.ofSeconds(10)))) {
            int samples = ground.rounds(90, 12);
            for (int i = 0; i < samples; i++) {
                Thread.sleep(10_000);
                moments.add(new Moment(sessions(database), overdue(database), service.residentKb()));
            }
            strangers.stop();
            logins = load.stop();
        }
        judge(moments, logins, findings);
    }

    private static void judge(List<Moment> moments, Outcome logins, Findings findings) {
        int third = moments.size() / 3;
        List<Moment> middle = moments.subList(third, 2 * third);
        List<Moment> last = moments.subList(2 * third, moments.size());
        long sessionsThen = middle.stream().mapToLong(Moment::sessions).max().orElseThrow();
        long sessionsNow = last.stream().mapToLong(Moment::sessions).max().orElseThrow();
        double memoryThen =
                middle.stream().mapToLong(Moment::residentKb).average().orElseThrow();
        double memoryNow = last.stream().mapToLong(Moment::residentKb).average().orElseThrow();
        findings.expect(logins.ok() == logins.count(), "%,d logins, of which %,d passed", logins.count(), logins.ok());
        findings.expect(
                sessionsNow <= sessionsThen * MOST_GROWTH,
                "at most %,d sessions stored in the middle third, %,d in the last",
                sessionsThen,
                sessionsNow);
        long overdue = moments.stream().mapToLong(Moment::overdue).max().orElseThrow();
        findings.expect(overdue == 0, "at most %,d used challenges kept for too long", overdue);
        findings.expect(
                memoryNow <= memoryThen * MOST_GROWTH,
                "%.0f MB in RAM in the middle third, %.0f MB in the last",
                memoryThen / 1_000,
                memoryNow / 1_000);
    }

    private static long sessions(DatabaseUrl database) throws SQLException {
        return count(database, "porchlight_sealed_entry");
    }

    private static long overdue(DatabaseUrl database) throws SQLException {
        long since = System.currentTimeMillis() - USED_CHALLENGES_STAY.toMillis();
        return count(database, "passkey_used_challenge WHERE expires_at < " + since);
    }

    private static long count(DatabaseUrl database, String rows) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + rows)) {
            return row.getLong(1);
        }
    }

    /** Asks for options in a name that nobody has, from an address that nobody had, and leaves it at that. */
    private static final class Stranger implements Task {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final Connection connection;

        Stranger(Instance service) {
            this.connection = service.connect(Duration.ofSeconds(10));
        }

        @Override
        public int run() throws IOException {
            int n = COUNT.incrementAndGet();
            String address = "10." + (n >> 16 & 255) + "." + (n >> 8 & 255) + "." + (n & 255);
            return connection
                    .get("/auth/passkey/login/options?userId=stranger-" + n, "X-Forwarded-For: " + address)
                    .status();
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
