// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** R27: a start on an unusable database. */
public final class BadDatabaseAtStart {
    public void run(TestBed bed) throws Exception {
        Launch embedded = bed.service();
        PostgresServer postgres = bed.postgres();
        bed.call(bed.service().with("DATABASE_URL", postgres.jdbcUrl()), "audit", "verify"); // creates the tables
        Launch newer = bed.serviceWithDeadline().with("DATABASE_URL", postgres.jdbcUrl());

        byte[] garbage = new byte[100_000];
        Arrays.fill(garbage, (byte) 0x5a);
        Files.write(Files.createDirectories(embedded.data()).resolve("porchlight.db"), garbage);
        refused("corrupt", "not a database|damaged", bed, embedded);

        postgres.sql("update passkey_schema set version = 999, oldest = 999");
        refused("newer", "newer one", bed, newer);

        String role = postgres.requirePassword("guarded", "the-right-one");
        String url = postgres.jdbcUrl().replaceFirst("\\?.*", "?user=" + role + "&password=the-wrong-one");
        refused("wrong password", "password", bed, bed.serviceWithDeadline().with("DATABASE_URL", url));
    }

    private static void refused(String name, String cause, TestBed bed, Launch launch)
            throws IOException, InterruptedException {
        Path log = launch.data().resolveSibling("service.log");
        int before = Files.exists(log) ? Files.readAllLines(log).size() : 0;
        try (Instance service = bed.stopAtEnd(launch.launch())) {
            long begin = System.nanoTime(); // not before: the first launch creates the class archive
            int status = service.awaitExit(bed.limit(Duration.ofSeconds(30)));
            double seconds = (System.nanoTime() - begin) / 1e9;
            List<String> lines = service.log().lines().skip(before).toList();
            bed.expect(
                    status != 0 && seconds * 1e3 <= bed.limit(5_000),
                    "%s: status %d after %.1f s",
                    name,
                    status,
                    seconds);
            boolean explained = lines.size() == 1 && lines.get(0).matches(".*(" + cause + ").*");
            String said = String.join(" / ", lines).replace(bed.directory().toString(), "\u2026");
            bed.expect(explained, "%d line: \u201c%s\u201d", lines.size(), said);
        }
    }
}
