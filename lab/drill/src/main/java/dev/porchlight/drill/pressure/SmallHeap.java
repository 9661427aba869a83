// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** R23: a small heap, many logins, and garbage requests. */
public final class SmallHeap {
    private static final int WORKERS = 16;
    /** In short mode, this many logins end a phase. */
    private static final int ENOUGH = 200;

    /** In short mode, the number of garbage collections: the heap must have filled up several times. */
    private static final int ENOUGH_COLLECTIONS = 20;

    private static final String[] PATHS = {
        "/auth/signup", "/auth/passkey/login/finish?userId=user-0", "/auth/passkey/register/finish"
    };

    public void run(TestBed bed) throws Exception {
        Instance service = bed.services().smallHeap().running();
        People people = People.register(service.address(), "user-", WORKERS);
        try (Loop load = Loop.closed(WORKERS, people.logins(service.address(), WORKERS, Patience.LIMIT));
                Loop garbage = Loop.closed(8, worker -> garbage(service.connect(), worker))) {
            double collected = collections(service);
            bed.pass(
                    Duration.ofMinutes(2),
                    load.successes(ENOUGH).and(() -> collections(service) >= collected + ENOUGH_COLLECTIONS));
            Outcome refused = garbage.stop();
            Outcome logins = load.stop();
            bed.expect(logins.allOk(), "logins %s", logins);
            bed.expect(
                    refused.samples().stream().allMatch(it -> it.status() / 100 == 4),
                    "garbage %s",
                    refused.statuses());
        }
        bed.expect(service.process().isAlive() && bed.isReady(service), "ready at the end");
        bed.note("%,d kB in RAM", service.residentKb());
    }

    private static double collections(Instance service) throws IOException {
        return service.metric("jvm_gc_collection_seconds_count");
    }

    /** Sends random bytes as a sign-up, a login or a registration. */
    private static Task garbage(Connection connection, int seed) {
        Random random = new Random(seed);
        return Task.over(connection, service -> {
            StringBuilder body = new StringBuilder("{\"id\":\"");
            int length = random.nextInt(60_000);
            while (body.length() < length) {
                body.append((char) (random.nextInt(0x60) + 0x20));
            }
            return service.post(PATHS[random.nextInt(PATHS.length)], body.toString())
                    .status();
        });
    }
}
