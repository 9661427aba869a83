// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.metrics.MetricBuilder.Samples;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.ToLongFunction;

/** JVM metrics with the names used by Prometheus client libraries. Read at each scrape, without safepoints. */
record JvmMetrics(MetricRegistry registry) {
    static void register(MetricRegistry registry) {
        JvmMetrics metrics = new JvmMetrics(registry);
        metrics.info();
        metrics.memory();
        metrics.garbageCollectors();
        metrics.threads();
        metrics.classes();
    }

    private void info() {
        registry.gauge("jvm_info")
                .help("The JVM version, always 1.")
                .labels("runtime", "vendor", "version")
                .register()
                .with(
                        System.getProperty("java.runtime.name", "unknown"),
                        System.getProperty("java.vm.vendor", "unknown"),
                        System.getProperty("java.runtime.version", "unknown"))
                .set(1);
    }

    private void memory() {
        usage("jvm_memory_used_bytes", "Used memory by area.", MemoryUsage::getUsed);
        usage("jvm_memory_committed_bytes", "Committed memory by area.", MemoryUsage::getCommitted);
        usage("jvm_memory_max_bytes", "Maximum memory by area, if limited.", MemoryUsage::getMax);
        var pools = ManagementFactory.getMemoryPoolMXBeans();
        registry.gauge("jvm_memory_pool_used_bytes")
                .help("Used memory by pool.")
                .labels("pool")
                .read(samples -> pools.forEach(
                        pool -> sampleIfKnown(samples, pool.getUsage().getUsed(), pool.getName())));
        buffers(
                "jvm_buffer_pool_used_bytes",
                "Memory in buffers outside the heap, by pool.",
                BufferPoolMXBean::getMemoryUsed);
        buffers("jvm_buffer_pool_used_buffers", "Buffers outside the heap, by pool.", BufferPoolMXBean::getCount);
    }

    private void usage(String name, String help, ToLongFunction<MemoryUsage> part) {
        var memory = ManagementFactory.getMemoryMXBean();
        registry.gauge(name).help(help).labels("area").read(samples -> {
            sampleIfKnown(samples, part.applyAsLong(memory.getHeapMemoryUsage()), "heap");
            sampleIfKnown(samples, part.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap");
        });
    }

    private void buffers(String name, String help, ToLongFunction<BufferPoolMXBean> part) {
        var pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
        registry.gauge(name)
                .help(help)
                .labels("pool")
                .read(samples -> pools.forEach(pool -> sampleIfKnown(samples, part.applyAsLong(pool), pool.getName())));
    }

    /** The JDK reports an unknown value as a negative number; a missing sample is clearer. */
    private static void sampleIfKnown(Samples samples, long value, String label) {
        if (value >= 0) {
            samples.sample((double) value, label);
        }
    }

    private void garbageCollectors() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        registry.summary("jvm_gc_collection_seconds")
                .help("Garbage collections and their duration, by collector.")
                .labels("gc")
                .read(totals -> collectors.forEach(collector -> totals.sample(
                        Math.max(0, collector.getCollectionCount()),
                        Math.max(0, collector.getCollectionTime()) / 1e3,
                        collector.getName())));
    }

    private void threads() {
        var threads = ManagementFactory.getThreadMXBean();
        gauge("jvm_threads_current", "Live platform threads.", threads::getThreadCount);
        gauge("jvm_threads_daemon", "Live daemon threads.", threads::getDaemonThreadCount);
        gauge("jvm_threads_peak", "Peak number of live threads.", threads::getPeakThreadCount);
        counter("jvm_threads_started_total", "Threads started since the JVM started.", () ->
                (double) threads.getTotalStartedThreadCount());
    }

    private void classes() {
        var classes = ManagementFactory.getClassLoadingMXBean();
        gauge("jvm_classes_currently_loaded", "Loaded classes.", classes::getLoadedClassCount);
        counter("jvm_classes_loaded_total", "Classes loaded since the JVM started.", () ->
                (double) classes.getTotalLoadedClassCount());
        counter("jvm_classes_unloaded_total", "Classes unloaded since the JVM started.", () ->
                (double) classes.getUnloadedClassCount());
    }

    private void gauge(String name, String help, DoubleSupplier value) {
        registry.gauge(name).help(help).read(value);
    }

    private void counter(String name, String help, DoubleSupplier value) {
        registry.counter(name).help(help).read(value);
    }
}
