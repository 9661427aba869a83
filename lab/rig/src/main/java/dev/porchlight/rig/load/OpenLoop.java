// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * A loop that begins tasks at a rate, whatever becomes of those before. Latency counts from the time a task should have begun:
 * who waits because all workers are busy is counted too.
 */
public final class OpenLoop extends Loop {
    private final double nanosBetween;
    private final AtomicLong tickets = new AtomicLong();

    /**
     * Begins at once.
     *
     * @param workers how many tasks can be under way at once
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
