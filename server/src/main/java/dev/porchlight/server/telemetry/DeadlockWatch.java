// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Finds deadlocked threads. Each check stops all threads for a moment, so it is not done on request. Thread-safe. */
public final class DeadlockWatch {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private volatile List<String> deadlocked = List.of();

    /** The names of the threads that the last check found deadlocked. */
    public List<String> deadlocked() {
        return deadlocked;
    }

    public void check() {
        long[] ids = threads.findDeadlockedThreads();
        deadlocked = ids == null
                ? List.of()
                : Arrays.stream(threads.getThreadInfo(ids))
                        .filter(Objects::nonNull)
                        .map(ThreadInfo::getThreadName)
                        .toList();
    }
}
