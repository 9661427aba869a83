// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * A loop that starts tasks at a fixed rate, independent of earlier results. Latency counts from a task's scheduled start, so
 * waiting for a free worker is included.
 */
public final class OpenLoop extends Loop {
    private final double nanosBetween;
    private final AtomicLong tickets = new AtomicLong();

    /**
     * Starts the loop.
     *
     * @param workers the maximum number of concurrent tasks
     */
    public OpenLoop(double perSecond, int workers, IntFunction<Task> tasks) {
        nanosBetween = 1e9 / perSecond;
        begin(workers, tasks);
    }

    @Override
    long next() {
        long time = (long) (tickets.getAndIncrement() * nanosBetween);
        return sleepUntil(time) ? time : -1;
    }
}
