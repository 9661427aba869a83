// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.Services.RedisLimits;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;

/** R42: Redis is killed, hung and emptied between the steps of sign-ins to an application. */
public final class SignInsWithoutRedis {
    private static final long DEADLINE_MILLIS = 2_500;

    public void run(TestBed bed) throws Exception {
        RedisLimits limits = bed.services().redisLimits();
        RedisServer redis = limits.redis();
        Instance service = limits.service();
        try (Connection connection = service.connect()) {
            Person ada = Users.register(connection, service.address(), "without-redis");
            OpenIdClient client = Users.client(connection, "without-redis");
            SignIns signIns = new SignIns(bed, client, ada);
            int rounds = bed.rounds(5, 1);
            signIns.during("killed", rounds, redis::kill, redis::restart);
            signIns.during("hung", rounds, redis::pause, redis::resume);
            signIns.during("emptied", rounds, redis::flush, () -> {});
        }
    }

    /** Breaks or repairs Redis. */
    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private record SignIns(TestBed bed, OpenIdClient client, Person ada) {
        /** Continues sign-ins, redeems and refreshes: all need only the database. */
        private void during(String name, int rounds, Action fault, Action repair)
                throws IOException, InterruptedException {
            double slowest = 0;
            int worked = 0;
            int once = 0;
            for (int round = 0; round < rounds; round++) {
                String session = ada.tryLogin().cookie();
                String open = client.code(session);
                String sealed = client.begin(client.request());
                fault.run();
                long begin = System.nanoTime();
                String code = OpenIdClient.response(
                                OpenIdClient.proceed(ada.web().cookie(session), sealed))
                        .getOrDefault("code", "");
                TestResponse tokens = client.redeem(code);
                boolean known = client.userinfo(tokens.field("access_token")).ok();
                TestResponse refreshed = client.refresh(tokens.field("refresh_token"));
                boolean before = client.redeem(open).ok();
                slowest = Math.max(slowest, (System.nanoTime() - begin) / 1e6);
                worked += tokens.ok() && known && refreshed.ok() && before ? 1 : 0;
                int replayed = client.redeem(code).status();
                int revoked = client.refresh(refreshed.field("refresh_token")).status();
                once += replayed == 400 && revoked == 400 ? 1 : 0;
                repair.run();
            }
            bed.expect(
                    slowest <= bed.limit(DEADLINE_MILLIS),
                    "%s %d times: the steps take at most %.0f ms",
                    name,
                    rounds,
                    slowest);
            bed.expect(worked == rounds, "codes, userinfo and refresh work %d times", worked);
            bed.expect(once == rounds, "a replayed code is refused and its tokens revoked %d times", once);
        }
    }
}
