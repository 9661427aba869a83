// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.ToLongFunction;

/** What the JVM tells of itself, under the names Prometheus users know. Read at each scrape; nothing stops the world. */
final class JvmMetrics {
    private final MetricRegistry registry;

    private JvmMetrics(MetricRegistry registry) {
        this.registry = registry;
    }

    static void register(MetricRegistry registry) {
        JvmMetrics metrics = new JvmMetrics(registry);
        metrics.info();
        metrics.memory();
        metrics.bufferPools();
        metrics.garbageCollectors();
        metrics.threads();
        metrics.classes();
    }

    private void info() {
        registry.gauge("jvm_info", "The JVM that runs this, always 1.", "runtime", "vendor", "version")
                .with(
                        System.getProperty("java.runtime.name", "unknown"),
                        System.getProperty("java.vm.vendor", "unknown"),
                        System.getProperty("java.runtime.version", "unknown"))
                .set(1);
    }

    private void memory() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        usages("jvm_memory_used_bytes", "Used memory by area.", memory, MemoryUsage::getUsed);
        usages("jvm_memory_committed_bytes", "Committed memory by area.", memory, MemoryUsage::getCommitted);
        usages("jvm_memory_max_bytes", "Maximum memory by area, where there is one.", memory, MemoryUsage::getMax);
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans();
        registry.callbackGauge(
                "jvm_memory_pool_used_bytes",
                "Used memory by pool.",
                samples -> pools.forEach(pool -> known(samples, pool.getUsage().getUsed(), pool.getName())),
                "pool");
    }

    private void usages(String name, String help, MemoryMXBean memory, ToLongFunction<MemoryUsage> part) {
        registry.callbackGauge(
                name,
                help,
                samples -> {
                    known(samples, part.applyAsLong(memory.getHeapMemoryUsage()), "heap");
                    known(samples, part.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap");
                },
                "area");
    }

    /** The JDK says "unknown" with a negative number; a missing sample says it better. */
    private static void known(Samples samples, long value, String label) {
        if (value >= 0) {
            samples.sample((double) value, label);
        }
    }

    private void bufferPools() {
        List<BufferPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
        registry.callbackGauge(
                "jvm_buffer_pool_used_bytes",
                "Memory in buffers outside the heap, by pool.",
                samples -> pools.forEach(pool -> known(samples, pool.getMemoryUsed(), pool.getName())),
                "pool");
        registry.callbackGauge(
                "jvm_buffer_pool_used_buffers",
                "Buffers outside the heap, by pool.",
                samples -> pools.forEach(pool -> known(samples, pool.getCount(), pool.getName())),
                "pool");
    }

    private void garbageCollectors() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        registry.callbackSummary(
                "jvm_gc_collection_seconds",
                "Collections and the time spent in them, by collector.",
                totals -> {
                    for (GarbageCollectorMXBean collector : collectors) {
                        long count = Math.max(0, collector.getCollectionCount());
                        long millis = Math.max(0, collector.getCollectionTime());
                        totals.sample(count, millis / 1e3, collector.getName());
                    }
                },
                "gc");
    }

    private void threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        registry.callbackGauge("jvm_threads_current", "Live platform threads.", threads::getThreadCount);
        registry.callbackGauge("jvm_threads_daemon", "Live daemon threads.", threads::getDaemonThreadCount);
        registry.callbackGauge("jvm_threads_peak", "Most live threads at once.", threads::getPeakThreadCount);
        registry.callbackCounter("jvm_threads_started_total", "Threads started since the JVM began.", () ->
                (double) threads.getTotalStartedThreadCount());
    }

    private void classes() {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        registry.callbackGauge("jvm_classes_currently_loaded", "Loaded classes.", classes::getLoadedClassCount);
        registry.callbackCounter("jvm_classes_loaded_total", "Classes loaded since the JVM began.", () ->
                (double) classes.getTotalLoadedClassCount());
        registry.callbackCounter("jvm_classes_unloaded_total", "Classes unloaded since the JVM began.", () ->
                (double) classes.getUnloadedClassCount());
    }
}
