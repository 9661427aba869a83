// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/** Waits for a page. Polls often at first, then less often, because each poll costs browser time. */
final class PageWait {
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMillis(160);

    private PageWait() {}

    static ConditionFactory await() {
        return Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(IterativePollInterval.iterative(PageWait::longer, FIRST));
    }

    private static Duration longer(Duration interval) {
        Duration doubled = interval.multipliedBy(2);
        return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }
}
