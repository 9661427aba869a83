// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import java.time.Duration;
import java.util.List;

/** R31: one address opens as many connections as it can. */
public final class ManyConnections {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;
    private static final int LOGINS_PER_SECOND = 20;
    private static final List<String> KINDS =
            List.of(HeldConnections.IDLE, HeldConnections.HEADERS, HeldConnections.UNREAD);
    /** One address's share of the connections at a heap of 128 MB. */
    private static final int SHARE = 170;

    public void run(TestBed bed, Findings findings) throws Exception {
        int connections = bed.rounds(9_000, 400);
        SmallService small = SmallService.on(bed);
        Instance service = small.instance();
        Instance management = small.management();
        OpenLoop load = bed.signIns(
                "many-connections-", service, WORKERS, LOGINS_PER_SECOND, Duration.ofSeconds(bed.rounds(20, 1)));
        HeldConnections held = bed.stopAtEnd(new HeldConnections(service.port(), "127.0.31.1"));
        int unhealthy = 0;
        for (int i = 0; i < connections; i++) {
            held.open(KINDS.get(i % KINDS.size()));
            if (i % 100 == 99) {
                unhealthy += management.get("/health/live").status() == 200 ? 0 : 1;
            }
        }
        double most = management.metric("http_connections_largest_address{listener=\"public\"}");
        boolean after = load.successes(bed.rounds(50, 20)).await(bed.limit(TIMEOUT));
        Outcome outcome = load.stop();
        findings.note("%,d connections opened, %,d refused", connections, held.refused());
        findings.expect(most <= SHARE, "the address had %.0f at the end", most);
        findings.expect(
                unhealthy == 0, "%d of %d requests to the management port failed", unhealthy, connections / 100);
        findings.expect(
                after && outcome.ok() == outcome.count() && outcome.millis(0.99) < bed.limit(500),
                "others: %s %s",
                outcome,
                outcome.failures());
    }
}
