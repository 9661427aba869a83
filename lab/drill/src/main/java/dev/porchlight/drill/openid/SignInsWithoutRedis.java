// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.Backends;
import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.OpenIdClient;
import dev.porchlight.rig.load.Person;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;

/** R42: Redis is killed, hung and emptied between the steps of sign-ins to an application. */
public final class SignInsWithoutRedis {
    private static final long DEADLINE_MILLIS = 2_500;

    public void run(TestBed bed, Findings findings) throws Exception {
        Backends backends = bed.backends();
        RedisServer redis = backends.redis();
        Instance service = backends.service();
        try (Connection connection = service.connect(Patience.LIMIT)) {
            Person ada = Person.register(connection, service.address(), "without-redis");
            OpenIdClient client = OpenIdClient.register(connection, "without-redis");
            SignIns signIns = new SignIns(bed, findings, connection, client, ada);
            int rounds = bed.rounds(5, 1);
            signIns.during("killed", rounds, redis::kill, redis::restart);
            signIns.during("hung", rounds, redis::pause, redis::resume);
            signIns.emptied(redis);
        }
    }

    /** Breaks or repairs Redis. */
    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private record SignIns(TestBed bed, Findings findings, Connection connection, OpenIdClient client, Person ada) {
        /** Redeems and refreshes while Redis is gone: both need only the database. New codes need the session. */
        private void during(String name, int rounds, Action fault, Action repair)
                throws IOException, InterruptedException {
            double slowest = 0;
            int refused = 0;
            int worked = 0;
            int once = 0;
            int recovered = 0;
            for (int round = 0; round < rounds; round++) {
                String session = ada.login(connection).cookie();
                String code = client.code(connection, session);
                Response authorized = client.authorize(connection);
                fault.run();
                long begin = System.nanoTime();
                Response next = client.proceed(connection, authorized, session);
                slowest = Math.max(slowest, (System.nanoTime() - begin) / 1e6);
                refused += next.status() == 503 && next.header("Retry-After") != null ? 1 : 0;
                Response tokens = client.redeem(connection, code);
                boolean known = client.userinfo(connection, tokens.field("access_token"))
                        .ok();
                Response refreshed = client.refresh(connection, tokens.field("refresh_token"));
                worked += tokens.ok() && known && refreshed.ok() ? 1 : 0;
                int replayed = client.redeem(connection, code).status();
                int revoked = client.refresh(connection, refreshed.field("refresh_token"))
                        .status();
                once += replayed == 400 && revoked == 400 ? 1 : 0;
                repair.run();
                recovered += recovers() ? 1 : 0;
            }
            findings.expect(
                    refused == rounds && slowest <= bed.limit(DEADLINE_MILLIS),
                    "%s %d times: a new code gets 503 with Retry-After %d times, at most after %.0f ms",
                    name,
                    rounds,
                    refused,
                    slowest);
            findings.expect(worked == rounds, "code, userinfo and refresh work %d times", worked);
            findings.expect(once == rounds, "a replayed code is refused and its tokens revoked %d times", once);
            findings.expect(recovered == rounds, "a sign-in succeeds within 10 s of the repair %d times", recovered);
        }

        private boolean recovers() throws InterruptedException {
            long deadline =
                    System.nanoTime() + bed.limit(Duration.ofSeconds(10)).toNanos();
            while (System.nanoTime() < deadline) {
                try {
                    String code = client.code(connection, ada.login(connection).cookie());
                    if (client.redeem(connection, code).ok()) {
                        return true;
                    }
                } catch (IOException notYet) {
                    // refused while Redis is still away
                }
                Thread.sleep(50);
            }
            return false;
        }

        /** Sessions end with the content of Redis. Codes and tokens stay, and none becomes valid again. */
        private void emptied(RedisServer redis) throws IOException {
            String session = ada.login(connection).cookie();
            String code = client.code(connection, session);
            String used = client.code(connection, session);
            client.redeem(connection, used);
            redis.flush();
            int redeemed = client.redeem(connection, code).status();
            int replayed = client.redeem(connection, used).status();
            String next = String.valueOf(client.proceed(connection, client.authorize(connection), session)
                    .header("Location"));
            findings.expect(
                    redeemed == 200 && replayed == 400 && next.startsWith("/?request="),
                    "emptied: an open code gets %d, a used one %d, and the user must sign in again",
                    redeemed,
                    replayed);
        }
    }
}
