// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What one worker saw: each time with its begin, its wait, its latency and its status. For one thread. */
final class Samples {
    /** In place of a status, where there was no answer. */
    static final int NO_ANSWER = 0;

    final Map<String, Integer> failures = new HashMap<>();
    long[] begun = new long[256];
    long[] waits = new long[256];
    long[] latencies = new long[256];
    int[] statuses = new int[256];
    int size;

    void add(long begin, long wait, long latency, int status) {
        if (size == begun.length) {
            begun = Arrays.copyOf(begun, 2 * size);
            waits = Arrays.copyOf(waits, 2 * size);
            latencies = Arrays.copyOf(latencies, 2 * size);
            statuses = Arrays.copyOf(statuses, 2 * size);
        }
        begun[size] = begin;
        waits[size] = wait;
        latencies[size] = latency;
        statuses[size++] = status;
    }

    void fail(long begin, long wait, long latency, IOException failure) {
        add(begin, wait, latency, NO_ANSWER);
        failures.merge(failure.getClass().getSimpleName() + ": " + failure.getMessage(), 1, Integer::sum);
    }
}
