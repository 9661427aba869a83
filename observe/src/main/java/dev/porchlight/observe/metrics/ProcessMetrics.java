// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Process metrics with the names used by Prometheus client libraries. Metrics that a platform lacks are not registered. */
final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMetrics() {}

    static void register(MetricRegistry registry) {
        registry.gauge("process_start_time_seconds")
                .help("Start time of the process, in seconds since 1970.")
                .register()
                .set(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
        if (Files.isReadable(STATUS)) {
            registry.gauge("process_resident_memory_bytes")
                    .help("Resident memory of the process.")
                    .read(() -> status("VmRSS:"));
            registry.gauge("process_virtual_memory_bytes")
                    .help("Virtual memory of the process.")
                    .read(() -> status("VmSize:"));
        }
        // The module jdk.management may be missing from a custom runtime image.
        if (ModuleLayer.boot().findModule("jdk.management").isPresent()) {
            Extended.register(registry);
        }
    }

    /** A separate class, so that missing types are not loaded. */
    private static final class Extended {
        static void register(MetricRegistry registry) {
            var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            registry.counter("process_cpu_seconds_total")
                    .help("CPU time of the process, user and system.")
                    .read(() -> system.getProcessCpuTime() / 1e9);
            if (system instanceof UnixOperatingSystemMXBean unix) {
                registry.gauge("process_open_fds")
                        .help("Open file descriptors.")
                        .read(() -> (double) unix.getOpenFileDescriptorCount());
                registry.gauge("process_max_fds")
                        .help("Maximum number of open file descriptors.")
                        .read(() -> (double) unix.getMaxFileDescriptorCount());
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
