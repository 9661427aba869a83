// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.util.function.IntFunction;

/**
 * A loop whose workers start the next task when the previous one ends: maximum throughput. Its latencies hide
 * stalls, during which it sends nothing; use the {@link OpenLoop} to measure those.
 */
public final class ClosedLoop extends Loop {
    /** Starts the loop. */
    public ClosedLoop(int workers, IntFunction<Task> tasks) {
        begin(workers, tasks);
    }

    @Override
    long next() {
        return now();
    }
}
