// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** CPU time of processes, in user and kernel mode, as reported by Linux. */
public final class CpuTime {
    /** USER_HZ, which is 100 on every architecture with a JDK. */
    private static final int TICK_MILLIS = 10;

    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_KERNEL = 14;

    private CpuTime() {}

    /** The CPU time that these processes have used so far. */
    public static Duration of(Stream<ProcessHandle> processes) {
        return processes
                .map(it -> it.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The CPU time of a server, including its ended processes; the first process started the others. */
    public static Duration ofServer(List<ProcessHandle> processes) throws IOException {
        return of(processes.stream()).plus(ofEndedChildren(processes.get(0).pid()));
    }

    /** The CPU time of ended children of this process. */
    static Duration ofEndedChildren(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // the program name is in parentheses and may contain spaces
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Duration.ofMillis(
                TICK_MILLIS * (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_KERNEL])));
    }
}
