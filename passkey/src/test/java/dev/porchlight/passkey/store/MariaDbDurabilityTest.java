// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialStore.Addition;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.MariaDbServer;
import dev.porchlight.testkit.server.MissingProgramException;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Acknowledged writes survive {@code kill -9} of the server. */
@Tag("slow")
class MariaDbDurabilityTest {
    private static final int THREADS = 8;
    private static final int WRITES = 200;

    @Test
    void acknowledged_passkeys_and_used_challenges_survive_kill_9() throws Exception {
        try (MariaDbServer server = start()) {
            Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
            try (HikariDataSource pool = connect(server)) {
                Migration.run(pool);
                writeUntilKilled(server, pool, acknowledged);
            }
            server.restart();

            // The pool of the writers can wait seconds until it connects again.
            try (HikariDataSource pool = connect(server)) {
                var store = new SqlCredentialStore(pool);
                var challenges = new SqlUsedChallenges(new Sql(pool), Clock.systemUTC());
                assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(WRITES).allSatisfy(id -> {
                    assertThat(store.find(id)).as(id).isNotNull();
                    assertThat(challenges.use(id, Long.MAX_VALUE)).as(id).isFalse();
                });
            }
        }
    }

    private static HikariDataSource connect(MariaDbServer server) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(server.jdbcUrl("durable") + "&connectTimeout=10000&socketTimeout=10000");
        pool.setMaximumPoolSize(THREADS);
        pool.setConnectionTimeout(10_000);
        return pool;
    }

    private static void writeUntilKilled(MariaDbServer server, HikariDataSource pool, Queue<String> acknowledged)
            throws Exception {
        var store = new SqlCredentialStore(pool);
        var challenges = new SqlUsedChallenges(new Sql(pool), Clock.systemUTC());
        var enough = new CountDownLatch(WRITES);
        ExecutorService writers = Executors.newFixedThreadPool(THREADS);
        for (int thread = 0; thread < THREADS; thread++) {
            String prefix = "t" + thread + "-";
            writers.execute(() -> {
                for (int i = 0; write(store, challenges, prefix + i); i++) {
                    acknowledged.add(prefix + i);
                    enough.countDown();
                }
            });
        }
        assertThat(enough.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        server.kill();
        writers.shutdown();
        assertThat(writers.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns false when the server is gone. */
    private static boolean write(CredentialStore store, SqlUsedChallenges challenges, String id) {
        CredentialRecord credential = CredentialRecord.of(id, "user-" + id, "{}", 0, "https://example.org");
        try {
            return challenges.use(id, Long.MAX_VALUE) && store.add(credential, 10) == Addition.ADDED;
        } catch (StorageException e) {
            return false;
        }
    }

    private static MariaDbServer start() throws Exception {
        try {
            return MariaDbServer.startDurable();
        } catch (MissingProgramException e) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(e.getMessage());
            }
            System.err.println("Skipped: " + e.getMessage());
            return Assumptions.abort(e.getMessage());
        }
    }
}
