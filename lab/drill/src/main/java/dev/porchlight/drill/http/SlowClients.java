// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R17: clients that send a byte a second, or take none, while others sign in. */
public final class SlowClients implements Row {
    private static final int WORKERS = 16;
    private static final Duration LONGEST = Duration.ofSeconds(45);

    @Override
    public About about() {
        return new About(
                "R17",
                "2,000 connections that send their headers or bodies a byte a second, or read no answer, while people sign in",
                "the others' p99 is below 500 ms; every slow connection is closed by the service; descriptors go back",
                Promise.P4);
    }

    /** It takes as long as the slowest clients are borne with. */
    @Override
    public boolean quick() {
        return false;
    }

    @Override
    public void run(Ground ground, Findings findings) throws IOException, InterruptedException {
        int slow = ground.rounds(2_000, 150);
        Instance service = ground.start(ground.service());
        People people = People.register(service.address(), service.address(), "user-", WORKERS);
        // A service that has just started is slow by itself.
        new ClosedLoop(WORKERS, people.logins(service.address(), WORKERS, Duration.ofSeconds(10)))
                .runFor(Duration.ofSeconds(ground.rounds(10, 2)));
        long before = service.descriptors();
        List<SlowClient> clients = new ArrayList<>();
        OpenLoop load = ground.stopAtEnd(
                new OpenLoop(50, WORKERS, people.logins(service.address(), WORKERS, Duration.ofSeconds(10))));
        SlowClient.Kind[] kinds = SlowClient.Kind.values();
        for (int i = 0; i < slow; i++) {
            clients.add(ground.stopAtEnd(new SlowClient(service.port(), kinds[i % kinds.length])));
        }
        long begin = load.now();
        long most = service.descriptors();
        int open = clients.size();
        while (open > 0 && load.now() - begin < LONGEST.toNanos()) {
            Thread.sleep(1_000);
            open = 0;
            for (SlowClient client : clients) {
                open += client.goOn() ? 1 : 0;
            }
        }
        long lasted = (load.now() - begin) / 1_000_000_000;
        Thread.sleep(1_000);
        Outcome outcome = load.stop();
        findings.expect(outcome.ok() == outcome.count() && outcome.millis(0.99) < 500, "others: %s", outcome);
        findings.expect(open == 0, "%,d slow connections closed within %d s, %d left", slow, lasted, open);
        long after = service.descriptors();
        findings.expect(after <= before + WORKERS + 8, "descriptors %d, %d, %d", before, most, after);
    }
}
