// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.growth;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.testkit.server.PostgresServer;
import java.util.Arrays;

/** R26: compares the cost of a login with many users to one with few, in this process. */
public final class ManyUsers {
    private static final int FEW = 1_000;
    private static final double MOST = 1.3;
    private static final int LOGINS_AT_ONCE = 20;

    public void run(TestBed bed) throws Exception {
        int many = bed.rounds(1_000_000, 20_000);
        compare(
                "SQLite",
                DatabaseUrl.sqlite(bed.directory().resolve("few.db")),
                DatabaseUrl.sqlite(bed.directory().resolve("many.db")),
                many,
                bed);
        compare(
                "PostgreSQL",
                DatabaseUrl.parse(PostgresServer.freshDatabase()),
                DatabaseUrl.parse(PostgresServer.freshDatabase()),
                many,
                bed);
    }

    private static void compare(String name, DatabaseUrl fewUrl, DatabaseUrl manyUrl, int manyUsers, TestBed bed)
            throws Exception {
        try (Population few = new Population(fewUrl, FEW);
                Population many = new Population(manyUrl, manyUsers)) {
            int rounds = bed.rounds(200, 10);
            measure(few, 5);
            measure(many, 5);
            long[] amongFew = new long[rounds * LOGINS_AT_ONCE];
            long[] amongMany = new long[rounds * LOGINS_AT_ONCE];
            for (int i = 0; i < rounds; i++) { // alternating, so that both see the same conditions
                System.arraycopy(measure(few, LOGINS_AT_ONCE), 0, amongFew, i * LOGINS_AT_ONCE, LOGINS_AT_ONCE);
                System.arraycopy(measure(many, LOGINS_AT_ONCE), 0, amongMany, i * LOGINS_AT_ONCE, LOGINS_AT_ONCE);
            }
            double ratio = (double) median(amongMany) / median(amongFew);
            bed.note(
                    "%s: %,d and %,d users, %,d logins each, median %d µs and %d µs",
                    name, FEW, manyUsers, amongFew.length, median(amongFew) / 1_000, median(amongMany) / 1_000);
            bed.expect(ratio <= MOST, "ratio %.2f", ratio);
            for (int i = 0; i < Population.CROWD; i += 50) {
                many.login(Population.CROWDED, Population.crowdedId(i));
            }
            int offered = many.offeredToCrowded();
            bed.expect(offered == 20, "%d of %d passkeys offered, ten of them signed in", offered, Population.CROWD);
        }
    }

    private static long[] measure(Population population, int logins) throws Exception {
        long[] nanos = new long[logins];
        for (int i = 0; i < logins; i++) {
            nanos[i] = population.login();
        }
        return nanos;
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
