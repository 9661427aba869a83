// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import java.time.Duration;

/** R32: one address sends many unfinished requests to a service with little memory. */
public final class UnfinishedRequests {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;
    private static final int LOGINS_PER_SECOND = 20;

    public void run(TestBed bed, Findings findings) throws Exception {
        int headers = bed.rounds(7_500, 1_500);
        int bodies = bed.rounds(510, 150);
        SmallService small = SmallService.on(bed);
        Instance service = small.instance();
        Instance management = small.management();
        OpenLoop load = bed.signIns(
                "unfinished-requests-", service, WORKERS, LOGINS_PER_SECOND, Duration.ofSeconds(bed.rounds(20, 0)));
        HeldConnections held = bed.stopAtEnd(new HeldConnections(service.port(), "127.0.32.1"));
        for (int i = 0; i < headers; i++) {
            held.open(HeldConnections.HEADERS);
        }
        for (int i = 0; i < bodies; i++) {
            held.open(HeldConnections.BODY);
        }
        boolean after = load.successes(bed.rounds(50, 20)).await(bed.limit(TIMEOUT));
        double bytes = management.metric("http_request_body_bytes_held");
        double displaced = management.metric("http_connections_displaced_total");
        held.close();
        Event free = () -> management.metric("http_request_body_bytes_held") == 0
                && management.metric("http_connections_largest_address") <= 2 * WORKERS;
        boolean freed = free.await(bed.limit(TIMEOUT));
        Outcome outcome = load.stop();
        findings.note(
                "%,d headers and %,d bodies; %,.0f kB held for bodies, %,.0f connections closed to make room",
                headers, bodies, bytes / 1_024, displaced);
        findings.expect(after && outcome.ok() == outcome.count(), "others: %s %s", outcome, outcome.failures());
        findings.expect(freed, "memory free again: %s", freed);
        findings.expect(
                service.process().isAlive() && !service.log().contains("OutOfMemoryError"),
                "the service is alive, %,d kB in RAM",
                service.residentKb());
    }
}
