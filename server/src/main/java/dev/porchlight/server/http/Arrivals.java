// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The bodies that are on their way, and the room that all of them have together. A body that is there in one piece needs none.
 * Thread-safe.
 */
final class Arrivals {
    /** What a request weighs that waits, beside what has come of its body: all connections may wait, if with little more. */
    static final long WEIGHT = 2_048;

    static final long ROOM = 32L * 1_024 * 1_024;

    private final long room;
    private final Scheduler scheduler;
    private final Executor executor;
    private final AtomicLong taken = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    /** Bodies that did not come at once are handed to the executor. */
    Arrivals(long room, Scheduler scheduler, Executor executor) {
        this.room = room;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    void begin(Request request, Intake.Taker taker) {
        new Intake(request, scheduler, executor, taker).begin();
    }

    /** Whether there was room for so much more. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= room) {
            return true;
        }
        taken.addAndGet(-bytes);
        refused.increment();
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** How many requests were refused so far because there was no room for what had come of them. */
    long refused() {
        return refused.sum();
    }
}
