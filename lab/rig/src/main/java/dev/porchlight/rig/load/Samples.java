// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The samples of one worker: start, wait, latency and status. Not thread-safe. */
final class Samples {
    /** The status of a missing response. */
    static final int NO_RESPONSE = 0;

    final Map<String, Integer> failures = new HashMap<>();
    long[] started = new long[256];
    long[] waits = new long[256];
    long[] latencies = new long[256];
    int[] statuses = new int[256];
    int size;

    void add(long begin, long wait, long latency, int status) {
        if (size == started.length) {
            started = Arrays.copyOf(started, 2 * size);
            waits = Arrays.copyOf(waits, 2 * size);
            latencies = Arrays.copyOf(latencies, 2 * size);
            statuses = Arrays.copyOf(statuses, 2 * size);
        }
        started[size] = begin;
        waits[size] = wait;
        latencies[size] = latency;
        statuses[size++] = status;
    }

    void fail(long begin, long wait, long latency, Throwable failure) {
        add(begin, wait, latency, NO_RESPONSE);
        Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
        failures.merge(cause.getClass().getSimpleName() + ": " + cause.getMessage(), 1, Integer::sum);
    }
}
