// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/** Waiting for a page: polls at once and often at first, then less often, because each poll costs the browser time. */
final class Patience {
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMillis(80);

    private Patience() {}

    static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(IterativePollInterval.iterative(Patience::longer, FIRST));
    }

    private static Duration longer(Duration interval) {
        Duration doubled = interval.multipliedBy(2);
        return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }
}
