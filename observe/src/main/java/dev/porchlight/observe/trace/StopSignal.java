// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** The request to come to an end by a deadline, and whether it was made. Safe for use by several threads. */
final class StopSignal {
    private volatile boolean requested;
    private volatile long deadline;

    void request(long deadlineNano) {
        deadline = deadlineNano;
        requested = true;
    }

    boolean requested() {
        return requested;
    }

    /** What is left until the deadline, or all the time in the world while nobody asked. */
    long remaining(long nanoTime) {
        return requested ? deadline - nanoTime : Long.MAX_VALUE;
    }
}
