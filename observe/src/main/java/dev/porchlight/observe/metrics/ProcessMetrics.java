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
 * The operating system's figures about this process, under the names Prometheus users know. Figures that a platform lacks
 * are not registered.
 */
final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMetrics() {}

    static void register(MetricRegistry registry) {
        registry.gauge("process_start_time_seconds")
                .help("When the process began, in seconds since 1970.")
                .register()
                .set(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
        if (Files.isReadable(STATUS)) {
            registry.gauge("process_resident_memory_bytes")
                    .help("Memory of the process that is in RAM.")
                    .read(() -> status("VmRSS:"));
            registry.gauge("process_virtual_memory_bytes")
                    .help("Address space of the process.")
                    .read(() -> status("VmSize:"));
        }
        // The module jdk.management is in every full JDK, but may be left out of a cut-down one.
        if (ModuleLayer.boot().findModule("jdk.management").isPresent()) {
            Extended.register(registry);
        }
    }

    /** Separate, so that its types are not loaded where they are missing. */
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
                        .help("Most file descriptors the process may open.")
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
