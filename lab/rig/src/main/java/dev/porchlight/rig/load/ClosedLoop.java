// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.util.function.IntFunction;

/**
 * A loop whose workers begin the next task when the last one is answered: as much as the service can do. Its latencies hide
 * stalls, during which nobody asks; for those there is the {@link OpenLoop}.
 */
public final class ClosedLoop extends Loop {
    /** Begins at once. */
    public ClosedLoop(int workers, IntFunction<Task> tasks) {
        begin(workers, tasks);
    }

    @Override
    long next() {
        return now();
    }
}
