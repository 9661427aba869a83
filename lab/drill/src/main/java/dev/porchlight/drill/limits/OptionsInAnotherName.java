// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.Services.LimitedService;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.List;

/** R30: clients at 100 addresses request options in a user's name while that user signs in. */
public final class OptionsInAnotherName {
    private static final int ADDRESSES = 100;
    private static final int WORKERS = 8;

    public void run(TestBed bed) throws Exception {
        int half = bed.rounds(5_000, 300);
        long pauseMillis = bed.rounds(100, 0);
        LimitedService limited = bed.services().limited();
        Launch launch = limited.launch();
        Instance service = limited.instance();
        Connection connection = bed.stopAtEnd(service.connect());
        Person victim = Users.register(connection, service.address(), "victim");

        TestResponse before = victim.options();
        String earlyResponse = victim.respond(before);
        long rows = rows(launch);
        int refused = flood(service, victim, half, pauseMillis);
        long kept = rows(launch) - rows;
        connection.close(); // the service may have closed it as idle

        TestResponse during = victim.options();
        int first = victim.finishLogin(earlyResponse).status();
        int second = 0;
        if (during.ok()) {
            String lateResponse = victim.respond(during);
            rows = rows(launch);
            refused += flood(service, victim, half, pauseMillis);
            kept += rows(launch) - rows;
            connection.close();
            second = victim.finishLogin(lateResponse).status();
        }

        bed.note("%,d requests in the user's name, %,d of them refused", 2 * half, refused);
        bed.expect(during.ok(), "options for the user during the flood: %d", during.status());
        bed.expect(first == 200 && second == 200, "logins started before and during the flood: %d, %d", first, second);
        bed.expect(kept <= 0, "%d rows kept for these requests", Math.max(0, kept));
    }

    /** Requests options repeatedly and returns the number of refusals. */
    private static int flood(Instance service, Person victim, int count, long pauseMillis) throws Exception {
        return Parallel.map(Parallel.workers(WORKERS), first -> flood(service, victim, first, count, pauseMillis))
                .stream()
                .mapToInt(refused -> refused)
                .sum();
    }

    private static int flood(Instance service, Person victim, int first, int count, long pauseMillis)
            throws IOException, InterruptedException {
        int refused = 0;
        for (int i = first; i < count; i += WORKERS) {
            InetAddress address = InetAddress.getByName("127.0.30." + (1 + i % ADDRESSES));
            try (Connection stranger = new Connection(service.address(), Patience.LIMIT, address)) {
                refused += victim.at(stranger).options().ok() ? 0 : 1;
            }
            Thread.sleep(pauseMillis);
        }
        return refused;
    }

    /** The number of rows in all tables, except those with rows that the service updates by itself. */
    private static long rows(Launch launch) throws SQLException {
        List<String> tables = EmbeddedDatabase.column(
                launch,
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                        + " AND name NOT IN ('passkey_decoy', 'porchlight_probe', 'porchlight_audit_anchor')");
        long rows = 0;
        for (String table : tables) {
            rows += EmbeddedDatabase.number(launch, "SELECT COUNT(*) FROM " + table);
        }
        return rows;
    }
}
