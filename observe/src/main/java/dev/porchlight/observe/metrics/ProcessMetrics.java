// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the operating system tells of this process, under the names Prometheus users know. What a platform cannot tell is
 * not registered.
 */
final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMetrics() {}

    static void register(MetricRegistry registry) {
        double start = ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3;
        registry.gauge("process_start_time_seconds", "When the process began, in seconds since 1970.")
                .set(start);
        if (Files.isReadable(STATUS)) {
            registry.callbackGauge(
                    "process_resident_memory_bytes", "Memory of the process that is in RAM.", () -> status("VmRSS:"));
            registry.callbackGauge(
                    "process_virtual_memory_bytes", "Address space of the process.", () -> status("VmSize:"));
        }
        // The module jdk.management is in every full JDK, but may be left out of a cut-down one.
        if (ModuleLayer.boot().findModule("jdk.management").isPresent()) {
            Extended.register(registry);
        }
    }

    /** Apart, so that its types are not loaded where they are missing. */
    private static final class Extended {
        static void register(MetricRegistry registry) {
            var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            registry.callbackCounter(
                    "process_cpu_seconds_total",
                    "CPU time of the process, user and system.",
                    () -> system.getProcessCpuTime() / 1e9);
            if (system instanceof UnixOperatingSystemMXBean unix) {
                registry.callbackGauge(
                        "process_open_fds", "Open file descriptors.", () -> (double) unix.getOpenFileDescriptorCount());
                registry.callbackGauge("process_max_fds", "Most file descriptors the process may open.", () ->
                        (double) unix.getMaxFileDescriptorCount());
            }
        }
    }

    /** Reads a line such as {@code VmRSS:     1234 kB}. */
    private static double status(String key) {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).replace("kB", "").strip())
                    .mapToDouble(kibibytes -> Long.parseLong(kibibytes) * 1024.0)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
