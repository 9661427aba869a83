// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.process.Ports;
import java.time.Duration;

/**
 * A service with a heap of 128 MB, for rows on held connections.
 *
 * @param management the same service at its management port, which connections to the other port cannot exhaust
 */
record SmallService(Instance instance, Instance management) {
    /** The service of this test bed. */
    static SmallService on(TestBed bed) throws Exception {
        return bed.inTurn(SmallService.class, SmallService::start);
    }

    private static SmallService start(TestBed bed) throws Exception {
        int port = Ports.free();
        Launch launch = bed.service().jvm("-Xmx128m").with("MANAGEMENT_PORT", Integer.toString(port));
        Instance instance = bed.stopAtEnd(launch.launch());
        Instance management = instance.at(port);
        management.awaitReady(bed.limit(Duration.ofSeconds(60)));
        return new SmallService(instance, management);
    }
}
