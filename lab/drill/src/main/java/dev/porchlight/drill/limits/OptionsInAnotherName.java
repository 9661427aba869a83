// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Person;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** R30: strangers at 100 addresses request options in a user's name while that user signs in. */
public final class OptionsInAnotherName implements Row {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int ADDRESSES = 100;
    private static final int WORKERS = 8;

    @Override
    public About about() {
        return new About(
                "R30",
                "10,000 requests for login options in one user's name, within five minutes, from 100 addresses, beside a"
                        + " login of that user begun before and one begun meanwhile, at the default limit",
                "both logins succeed; the user is never limited; no row is kept for the strangers",
                Promise.P11);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        int half = ground.rounds(5_000, 300);
        long pauseMillis = ground.rounds(100, 0);
        Launch launch = ground.service().with("RATE_LIMIT_PER_MINUTE", "120");
        Instance service = ground.start(launch);
        Connection connection = ground.stopAtEnd(service.connect(TIMEOUT));
        Person victim = Person.register(connection, service.address(), "victim");

        Answer before = victim.options(connection);
        String begunBefore = victim.respond(before);
        long rows = rows(launch);
        int refused = flood(service, victim, half, pauseMillis);
        long kept = rows(launch) - rows;
        connection.close(); // the service may have closed it, idle as it was

        Answer during = victim.options(connection);
        int first = victim.finish(connection, begunBefore).status();
        int second = 0;
        if (during.ok()) {
            String begunDuring = victim.respond(during);
            rows = rows(launch);
            refused += flood(service, victim, half, pauseMillis);
            kept += rows(launch) - rows;
            connection.close();
            second = victim.finish(connection, begunDuring).status();
        }

        findings.note("%,d requests by strangers, %,d of them refused", 2 * half, refused);
        findings.expect(during.ok(), "options for the user meanwhile: %d", during.status());
        findings.expect(first == 200 && second == 200, "logins begun before and meanwhile: %d, %d", first, second);
        findings.expect(kept <= 0, "%d rows kept for strangers", Math.max(0, kept));
    }

    /** Requests options so many times, and returns how often they were refused. */
    private static int flood(Instance service, Person victim, int count, long pauseMillis) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                int first = worker;
                work.add(() -> flood(service, victim, first, count, pauseMillis));
            }
            int refused = 0;
            for (Future<Integer> done : threads.invokeAll(work)) {
                refused += done.get();
            }
            return refused;
        } finally {
            threads.shutdownNow();
        }
    }

    private static int flood(Instance service, Person victim, int first, int count, long pauseMillis)
            throws IOException, InterruptedException {
        int refused = 0;
        for (int i = first; i < count; i += WORKERS) {
            InetAddress address = InetAddress.getByName("127.0.30." + (1 + i % ADDRESSES));
            try (Connection stranger = new Connection(service.address(), TIMEOUT, address)) {
                refused += victim.options(stranger).ok() ? 0 : 1;
            }
            Thread.sleep(pauseMillis);
        }
        return refused;
    }

    /** The rows of all tables together, but for those where the service keeps a row or two for itself, at its own time. */
    private static long rows(Launch launch) throws SQLException {
        try (var database = DatabaseUrl.sqliteIn(launch.data()).connect();
                Statement statement = database.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names = statement.executeQuery(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                            + " AND name NOT IN ('passkey_decoy', 'passkey_schema', 'porchlight_audit_anchor')")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            long rows = 0;
            for (String table : tables) {
                try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                    rows += count.next() ? count.getLong(1) : 0;
                }
            }
            return rows;
        }
    }
}
