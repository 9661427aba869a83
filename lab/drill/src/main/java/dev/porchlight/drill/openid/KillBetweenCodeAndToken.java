// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** R41: SIGKILL at random moments while users sign in to an application, repeatedly on the same data. */
public final class KillBetweenCodeAndToken {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;

    public void run(TestBed bed) throws Exception {
        rounds("SQLite", bed, bed.services().killed(), bed.rounds(10, 2));
        int rounds = bed.rounds(10, 0); // in the suite one database is enough: the statements are the same
        if (rounds > 0) {
            rounds(
                    "PostgreSQL",
                    bed,
                    new Restartable(
                            bed,
                            bed.service().with("DATABASE_URL", bed.postgres().jdbcUrl())),
                    rounds);
        }
    }

    private static void rounds(String database, TestBed bed, Restartable service, int rounds)
            throws IOException, InterruptedException {
        @Nullable OpenIdClient client = null;
        @Nullable SignIns last = null;
        @Nullable Person ada = null;
        int acknowledged = 0;
        int open = 0;
        int lost = 0;
        int twice = 0;
        for (int round = 0; round <= rounds; round++) {
            Instance instance = service.running();
            try (Connection connection = instance.connect()) {
                if (client == null || ada == null) {
                    client = Users.client(connection, "app");
                    ada = Users.register(connection, instance.address(), "signs-in");
                }
                if (last != null) {
                    acknowledged += last.tokens.size();
                    open += last.codes.size();
                    lost += last.lost(connection);
                    twice += last.twice(connection);
                }
                if (round < rounds) {
                    last = new SignIns(client, ada.at(connection).tryLogin().cookie());
                    last.runUntilKilled(bed, instance);
                }
            }
        }
        bed.note("%s: %d rounds", database, rounds);
        bed.expect(
                lost == 0 && acknowledged > 0,
                "%d of %,d acknowledged sign-ins without live tokens",
                lost,
                acknowledged);
        bed.expect(twice == 0, "%d codes redeemed twice, of these and %,d unfinished ones", twice, open);
    }

    /** Sign-ins of a round. */
    private static final class SignIns {
        private final OpenIdClient client;
        private final String session;
        /** The tokens of acknowledged redemptions, by code. */
        private final Map<String, TestResponse> tokens = new ConcurrentHashMap<>();
        /** Codes without a response to their redemption. */
        private final Queue<String> codes = new ConcurrentLinkedQueue<>();

        private SignIns(OpenIdClient client, String session) {
            this.client = client;
            this.session = session;
        }

        private int signIn(Connection connection) throws IOException {
            String code = client.at(connection).code(session);
            TestResponse response;
            try {
                response = client.at(connection).redeem(code);
            } catch (UncheckedIOException e) {
                codes.add(code);
                throw e;
            }
            if (response.ok()) {
                tokens.put(code, response);
            } else {
                codes.add(code);
            }
            return response.status();
        }

        private void runUntilKilled(TestBed bed, Instance service) throws IOException, InterruptedException {
            try (Loop loop = Loop.closed(WORKERS, worker -> Task.over(service.connect(), this::signIn))) {
                if (!loop.successes(1).await(bed.limit(TIMEOUT))) {
                    bed.expect(false, "no sign-in succeeded");
                }
                Thread.sleep(ThreadLocalRandom.current().nextLong(20, bed.rounds(1_000, 200)));
                service.kill();
                loop.stop();
            }
        }

        /** The number of acknowledged sign-ins whose tokens do not work. */
        private int lost(Connection connection) {
            int lost = 0;
            OpenIdClient app = client.at(connection);
            for (TestResponse response : tokens.values()) {
                boolean live = app.userinfo(response.field("access_token")).ok()
                        && app.refresh(response.field("refresh_token")).ok();
                lost += live ? 0 : 1;
            }
            return lost;
        }

        /** The number of codes that were redeemed a second time. */
        private int twice(Connection connection) {
            int twice = 0;
            OpenIdClient app = client.at(connection);
            for (String code : tokens.keySet()) {
                twice += app.redeem(code).ok() ? 1 : 0;
            }
            for (String code : codes) {
                app.redeem(code);
                twice += app.redeem(code).ok() ? 1 : 0;
            }
            return twice;
        }
    }
}
