// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R17: clients that send a byte per second or read nothing, while users sign in. */
public final class SlowClients {
    private static final int WORKERS = 16;
    private static final Duration LONGEST = Duration.ofSeconds(45);

    public void run(TestBed bed, Findings findings) throws IOException, InterruptedException {
        int slow = bed.rounds(2_000, 150);
        Instance service = bed.start(bed.service());
        long before = service.descriptors();
        OpenLoop load = bed.signIns("user-", service, WORKERS, 50, Duration.ofSeconds(bed.rounds(10, 2)));
        List<SlowClient> clients = new ArrayList<>();
        SlowClient.Kind[] kinds = SlowClient.Kind.values();
        for (int i = 0; i < slow; i++) {
            clients.add(bed.stopAtEnd(new SlowClient(service.port(), kinds[i % kinds.length])));
        }
        long begin = load.now();
        long most = service.descriptors();
        int open = clients.size();
        while (open > 0 && load.now() - begin < LONGEST.toNanos()) {
            Thread.sleep(1_000);
            open = 0;
            for (SlowClient client : clients) {
                open += client.sendMore() ? 1 : 0;
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
