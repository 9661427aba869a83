// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;

/** A service with the default rate limit, for rows whose clients it must not limit. */
record LimitedService(Launch launch, Instance instance) {
    /** The service of this test bed. */
    static LimitedService on(TestBed bed) throws Exception {
        return bed.inTurn(LimitedService.class, LimitedService::start);
    }

    private static LimitedService start(TestBed bed) throws Exception {
        Launch launch = bed.service().with("RATE_LIMIT_PER_MINUTE", "120");
        return new LimitedService(launch, bed.start(launch));
    }
}
